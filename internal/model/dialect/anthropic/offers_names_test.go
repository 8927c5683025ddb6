package anthropic_test

import (
	"slices"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
)

// TestNamesAgree holds the names of offers to those of the calls that come of them: one rule is about both.
func TestNamesAgree(t *testing.T) {
	for request, call := range map[string]string{
		`{"tools":[` + listTool + `]}`:                                                                             `{"type":"tool_use","id":"t","name":"ls","input":{}}`,
		`{"tools":[{"type":"bash_20250124","name":"bash"}]}`:                                                       `{"type":"tool_use","id":"t","name":"bash","input":{}}`,
		`{"tools":[{"type":"web_search_20260209","name":"web_search"}]}`:                                           `{"type":"server_tool_use","id":"t","name":"web_search","input":{}}`,
		`{"tools":[{"type":"code_execution_20260120","name":"code_execution"}]}`:                                   `{"type":"server_tool_use","id":"t","name":"bash_code_execution","input":{}}`,
		`{"tools":[{"type":"browser_toolset_20260801"}]}`:                                                          `{"type":"tool_use","id":"t","name":"navigate","toolset_name":"browser","input":{}}`,
		`{"tools":[{"type":"computer_toolset_20260801"}]}`:                                                         `{"type":"tool_use","id":"t","name":"left_click","toolset_name":"computer","input":{}}`,
		`{"mcp_servers":[{"name":"files","tool_configuration":{"allowed_tools":["read"]}}]}`:                       `{"type":"mcp_tool_use","id":"t","name":"read","server_name":"files","input":{}}`,
		`{"messages":[{"content":[` + addition(`{"type":"tool_definition","definition":{"name":"find"}}`) + `]}]}`: `{"type":"tool_use","id":"t","name":"find","input":{}}`,
	} {
		read, err := anthropic.Format().Requests.Read([]byte(request))
		if err != nil || len(read.Offers) != 1 {
			t.Errorf("%s: %d offers, %v", request, len(read.Offers), err)
			continue
		}
		message := `{"id":"m","type":"message","role":"assistant","model":"m","content":[` + call + `],"stop_reason":"tool_use"}`
		reading, err := anthropic.Format().New(dialect.Options{Whole: true, MaxArguments: 1 << 10}).Scan(frame.Frame{Data: []byte(message)})
		if err != nil || len(reading.Opens) != 1 {
			t.Errorf("%s: %d calls, %v", call, len(reading.Opens), err)
			continue
		}
		offer, slot := read.Offers[0], reading.Opens[0]
		if offer.Server != slot.Server || !slices.Contains(offer.Names, slot.Names[0]) {
			t.Errorf("offered as %q of %q, called as %q of %q", offer.Names, offer.Server, slot.Names, slot.Server)
		}
	}
}
