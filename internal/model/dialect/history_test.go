package dialect

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// TestHistory asks and answers: a step that begins with ? is a call, one that is - someone else's turn, any other a result.
// Both name their id, tool and, for results, the arguments of the call that they are to find.
func TestHistory(t *testing.T) {
	type step struct{ id, tool, args, finds string }
	cases := map[string][]step{
		"in order":        {{"?", "ls", "1", ""}, {"?", "ls", "2", ""}, {"", "ls", "", "ls 1"}, {"", "ls", "", "ls 2"}, {"", "ls", "", " "}},
		"by name":         {{"?", "ls", "1", ""}, {"?", "sh", "2", ""}, {"", "sh", "", "sh 2"}, {"", "ls", "", "ls 1"}},
		"without a name":  {{"?", "ls", "1", ""}, {"?", "sh", "2", ""}, {"", "", "", "ls 1"}, {"", "", "", "sh 2"}},
		"by id":           {{"?a", "ls", "1", ""}, {"?b", "ls", "2", ""}, {"b", "", "", "ls 2"}, {"", "ls", "", "ls 1"}, {"b", "", "", "ls 2"}},
		"an unknown id":   {{"?a", "ls", "1", ""}, {"z", "ls", "", "ls 1"}},
		"unknown":         {{"", "ls", "", " "}, {"?", "ls", "1", ""}, {"", "sh", "", " "}},
		"given up":        {{"?", "ls", "1", ""}, {"-", "", "", ""}, {"?", "ls", "2", ""}, {"", "ls", "", "ls 2"}},
		"late":            {{"?", "ls", "1", ""}, {"-", "", "", ""}, {"?", "ls", "2", ""}, {"", "ls", "", "ls 2"}, {"", "ls", "", "ls 1"}},
		"one after other": {{"?", "ls", "1", ""}, {"", "ls", "", "ls 1"}, {"-", "", "", ""}, {"?", "ls", "2", ""}, {"", "ls", "", "ls 2"}},
	}
	for name, steps := range cases {
		var h History
		for i, s := range steps {
			switch {
			case s.id == "-":
				h.Said()
			case s.id != "" && s.id[0] == '?':
				h.Asked(s.id[1:], s.tool, jsontext.Value(s.args))
			default:
				tool, args := h.Answered(s.id, s.tool)
				if diff := cmp.Diff(s.finds, tool+" "+string(args)); diff != "" {
					t.Errorf("%s: step %d (-want +got):\n%s", name, i, diff)
				}
			}
		}
	}
}
