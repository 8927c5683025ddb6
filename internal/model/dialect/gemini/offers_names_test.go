package gemini_test

import (
	"slices"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/gemini"
)

// TestNamesAgree holds the names of offers to those of the calls that come of them: one rule is about both.
func TestNamesAgree(t *testing.T) {
	for tool, part := range map[string]string{
		`{"functionDeclarations":[` + listDeclared + `]}`:         `{"functionCall":{"name":"ls","args":{}}}`,
		`{"codeExecution":{}}`:                                    `{"executableCode":{"language":"PYTHON","code":"1"}}`,
		`{"googleSearch":{}}`:                                     `{"toolCall":{"id":"1","toolType":"GOOGLE_SEARCH_WEB","args":{}}}`,
		`{"googleSearch":{"searchTypes":{"imageSearch":{}}}}`:     `{"toolCall":{"id":"1","toolType":"GOOGLE_SEARCH_IMAGE","args":{}}}`,
		`{"url_context":{}}`:                                      `{"toolCall":{"id":"1","toolType":"URL_CONTEXT","args":{}}}`,
		`{"googleMaps":{}}`:                                       `{"toolCall":{"id":"1","toolType":"GOOGLE_MAPS","args":{}}}`,
		`{"fileSearch":{}}`:                                       `{"toolCall":{"id":"1","toolType":"FILE_SEARCH","args":{}}}`,
		`{"computerUse":{"environment":"ENVIRONMENT_BROWSER"}}`:   `{"functionCall":{"name":"click_at","args":{}}}`,
		`{"computer_use":{"excludedPredefinedFunctions":["ls"]}}`: `{"functionCall":{"name":"open_web_browser","args":{}}}`,
	} {
		read, err := gemini.Format().Requests.Read([]byte(`{"tools":[` + tool + `]}`))
		if err != nil || len(read.Offers) != 1 {
			t.Errorf("%s: %d offers, %v", tool, len(read.Offers), err)
			continue
		}
		body := `{"candidates":[{"content":{"role":"model","parts":[` + part + `]},"finishReason":"STOP"}]}`
		reading, err := gemini.Format().New(dialect.Options{Whole: true, MaxArguments: 1 << 10}).Scan(frame.Frame{Data: []byte(body)})
		if err != nil || len(reading.Opens) != 1 {
			t.Errorf("%s: %d calls, %v", part, len(reading.Opens), err)
			continue
		}
		if offer, slot := read.Offers[0], reading.Opens[0]; !slices.Contains(offer.Names, slot.Names[0]) {
			t.Errorf("offered as %q, called as %q", offer.Names, slot.Names)
		}
	}
}
