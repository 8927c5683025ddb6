package condition

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A judgement that takes too much work ends before more of it is done than what reading one text takes.
func TestWorkEndsAtOnce(t *testing.T) {
	n, report := yamlfile.Parse("c.yaml", []byte(`{operator: runs, value: "rm *"}`))
	c := NewCompiler(report)
	runs := c.Compile(n)
	if err := report.Err(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"words": strings.Repeat("a ", 4<<20), "commands": strings.Repeat("a;", 4<<20), "nested": strings.Repeat("$(", 4<<20)} {
		work := &Work{}
		f := c.Done().Look(Call{Args: jsontext.Value(`{"command":"` + text + `"}`), Work: work})
		func() {
			defer func() {
				if why, ok := recover().(Stopped); !ok || why.Gone {
					t.Errorf("8 MiB of %s: not ended for the work that it takes", name)
				}
			}()
			_ = f.Readable() && runs.Holds(f, AnyValue, nil)
		}()
		if over := work.spent - maxWork; over > int64(shellPerByte*len(text)) {
			t.Errorf("8 MiB of %s: %d steps too many", name, over)
		}
	}
}
