package condition

import (
	"strings"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/toolact"
)

// What a tool of a server is told to set up may run later: a workflow, a job, a container. These are the names of the members with
// commands, with code and its language, and with the text of a file that has commands in it. They are compared without _ and -.
var (
	laterCommands = foldedSet(`command commands cmd exec run script shell bash entrypoint shellcommand commandline startcommand
		buildcommand installcommand predeploycommand postdeploycommand startupscript userdata inlinescript initscript executecommand
		runcommand argv onstart poststart startscript shellscript`)
	laterCode = map[string]string{
		"jscode": "javascript", "javascriptcode": "javascript", "functioncode": "javascript", "javascript": "javascript",
		"pythoncode": "python", "python": "python", "inlinecode": "", "sourcecode": "", "code": "", "powershell": "powershell",
	}
	laterFiles = foldedSet(`config configuration yaml yml workflow pipeline definition dockerfile compose composefile spec template
		cloudinit buildspec configyaml workflowyaml pipelineyaml`)
)

func foldedSet(names string) map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		out[name] = true
	}
	return out
}

// foldedName is the name of a member without what joins its words.
func foldedName(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// maxLater bounds how many such members of one call are read.
const maxLater = 64

// later are the parts of the arguments by which a tool of a server sets up what runs later.
func (f *Facts) later() (out []*argument.Value) {
	if f.As.Server == "" || toolact.NewName(f.As.Server, f.As.Tool).Acts() == toolact.Read {
		return nil
	}
	f.work.spend(actsPerValue * f.size)
	f.laterNames = map[*argument.Value]string{}
	f.collectLater(&f.args, 0, &out)
	return out
}

func (f *Facts) collectLater(v *argument.Value, depth int, out *[]*argument.Value) {
	if depth > maxToldDepth {
		return
	}
	for i := range v.Members {
		m := &v.Members[i]
		name := foldedName(m.Name)
		_, isCode := laterCode[name]
		isText := m.Value.Kind == '"'
		switch {
		case len(*out) >= maxLater:
			return
		case laterCommands[name] && depth > 0 && (isText || m.Value.Kind == '['), (isCode || laterFiles[name]) && isText:
			*out = append(*out, &m.Value)
			f.laterNames[&m.Value] = name
		}
		f.collectLater(&m.Value, depth+1, out)
	}
	for _, item := range v.Items() {
		f.collectLater(item, depth+1, out)
	}
}

// readLater reads what such a part runs.
func (f *Facts) readLater(v *argument.Value) (found []shell.Command) {
	name := f.laterNames[v]
	language, isCode := laterCode[name]
	switch {
	case isCode:
		return shell.ReadCode(v.Text, language, shell.Start{})
	case laterFiles[name]:
		return readContent(part{name: name, text: v.Text})
	default:
		return v.Commands()
	}
}
