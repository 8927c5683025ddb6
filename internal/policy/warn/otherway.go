package warn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/policy/toolname"
)

// A way is a call that uses a file.
type way struct {
	tool, args string
	command    bool // it runs a command
}

// waysTo are calls that do the same to a file, by a command and by a tool for files.
func waysTo(deed, file string) (out []way) {
	commands := map[string]string{"reads": "cat ", "writes": "echo a > ", "removes": "rm -rf "}
	out = append(out, way{"Bash", `{"command":` + quoted(commands[deed]+file) + `}`, true})
	switch deed {
	case "reads":
		out = append(out, way{"Read", `{"file_path":` + quoted(file) + `}`, false})
	case "writes":
		out = append(out, way{"Write", `{"file_path":` + quoted(file) + `,"content":"a"}`, false})
	}
	return out
}

// checkOtherWays warns of rules that refuse commands that use a file, and let tools for files use it, or the reverse.
func (f *Finder) checkOtherWays(r *rule, t *test, at position) {
	deed := strings.TrimPrefix(t.operator, "surely_")
	if !r.refuses() || r.shadow || at.grants || t.negated || !r.ofCalls() {
		return
	}
	runs, edits := r.kinds()
	switch {
	case runs == edits:
		return // both, or neither for certain
	case t.paths == nil && slices.Contains([]string{"reads", "writes"}, deed):
	case t.operator == "path_in" && edits && r.names("Read") != r.names("Write"):
		deed = map[bool]string{true: "reads", false: "writes"}[r.names("Read")]
	default:
		return
	}
	for _, v := range t.values[:min(len(t.values), maxTried)] {
		file := sampleFile(v.Text)
		if file == "" {
			continue
		}
		var refused, passes *way
		for _, w := range waysTo(deed, file) {
			switch d := f.policy.Decide(policy.Query{Tools: []string{w.tool}, Args: jsontext.Value(w.args)}); {
			case w.command == runs && d.Rule == r.id:
				refused = &w
			case w.command != runs && !d.Refused():
				passes = &w
			}
		}
		if refused != nil && passes != nil {
			f.add(policy.WarnOtherWay, r, v,
				fmt.Sprintf("another tool may do what the rule refuses: %s passes with %s", passes.tool, passes.args),
				fmt.Sprintf(`write tool: "*" and operator: %s, which sees commands and tools for files`, deed))
			return
		}
	}
}

// kinds says whether the rule is about tools that run commands, and about tools for files. Globs may be about both.
func (r *rule) kinds() (runs, edits bool) {
	for _, n := range r.tools {
		g := toolname.NewGlob(n.Text)
		if _, exact := g.Exact(); !exact {
			return true, true
		}
		if condition.RunsCommands(n.Text, nil) {
			runs = true
		} else {
			edits = edits || condition.UsesFiles(n.Text)
		}
	}
	return runs, edits
}

// sampleFile is a file that a place is about; "": none can be told from how it is written.
func sampleFile(place string) string {
	if strings.ContainsAny(place, `[?$\`) || place == "" {
		return ""
	}
	file := strings.ReplaceAll(strings.ReplaceAll(place, "**", "a"), "*", "a")
	if strings.HasPrefix(file, "~") {
		file = "/home/ann" + file[1:]
	}
	if !strings.HasPrefix(file, "/") {
		file = "/home/ann/project/" + strings.TrimPrefix(file, "./")
	}
	return file
}
