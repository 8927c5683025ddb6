package study

import (
	gopath "path"
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/text/address"
	"github.com/weir-gate/weir/internal/text/pathname"
	"github.com/weir-gate/weir/internal/text/redact"
	"github.com/weir-gate/weir/internal/text/truth"
)

// A parameter is what is known of one parameter of a tool: only what its values have in common.
type parameter struct {
	name   string
	count  int  // of calls that have it
	opaque bool // no condition can be made for it

	commands, paths, addresses bool // the name says that values are of this kind

	programs []string
	hosts    []string
	folders  [3]string // the common folder of absolute paths, of paths below ~, and "." for relative ones; "": none were seen
}

// These are the usual parameter names of known agents and servers.
var (
	commandNames = []string{"command", "cmd"}
	pathNames    = []string{"path", "file", "filename", "filepath", "dir", "directory", "folder", "cwd", "workdir"}
	addressNames = []string{"url", "uri"}
)

var plainParameter = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func newParameter(name string) *parameter {
	folded := strings.ToLower(name)
	return &parameter{
		name:      name,
		commands:  slices.Contains(commandNames, folded),
		paths:     slices.Contains(pathNames, folded) || strings.HasSuffix(folded, "_path"),
		addresses: slices.Contains(addressNames, folded) || strings.HasSuffix(folded, "_url"),
	}
}

// learn adds the value in one more call.
func (p *parameter) learn(m *argument.Member) {
	p.count++
	v := &m.Value
	switch {
	case p.opaque:
	case !plainParameter.MatchString(m.Name):
		p.opaque = true
	case p.commands:
		p.opaque = !p.learnCommands(v)
	case v.Kind != '"':
		p.opaque = true
	case p.paths:
		p.opaque = !p.learnPath(v.Text)
	case p.addresses:
		p.opaque = !p.learnAddress(v.Text)
	default:
		p.opaque = true
	}
}

// maxNamedLiterals bounds how many programs or hosts a condition names: with more there is no pattern.
const maxNamedLiterals = 40

// plainProgram matches the names of programs that may be in a condition.
var plainProgram = regexp.MustCompile(`^[A-Za-z0-9_.+-]{1,32}$|^\[$`)

// plainScript matches the paths of programs that may be in a condition.
var plainScript = regexp.MustCompile(`^(?:\./|/)?[A-Za-z0-9_+-][A-Za-z0-9_.+-]*(?:/[A-Za-z0-9_+-][A-Za-z0-9_.+-]*){0,8}$`)

// learnCommands adds the programs of the value. It fails unless every command is known by its name.
func (p *parameter) learnCommands(v *argument.Value) bool {
	if v.Kind != '"' && v.Kind != '[' {
		return false
	}
	found := v.Commands()
	for _, c := range found {
		program, plain := c.Words[0], plainProgram
		if c.Elsewhere() { // only its path means just this program
			program, plain = c.Path, plainScript
		}
		if !program.Known || !plain.MatchString(program.Text) || secretive(program.Text) ||
			!p.addTo(&p.programs, strings.ToLower(program.Text)) {
			return false
		}
	}
	return len(found) > 0
}

func (p *parameter) learnAddress(text string) bool {
	hosts, certain := address.Hosts(text)
	if !certain || len(hosts) != 1 || hosts[0].Loose || hosts[0].Partial {
		return false
	}
	name := hosts[0].Name
	set, err := address.NewHosts([]string{name})
	return err == nil && address.HostIn(text, set) == truth.Yes && p.addTo(&p.hosts, name)
}

// addTo adds a literal for the condition to name. It fails if there are too many, if it could be a secret, or if it would
// mean more than itself.
func (p *parameter) addTo(literals *[]string, literal string) bool {
	if slices.Contains(*literals, literal) {
		return true
	}
	if len(*literals) >= maxNamedLiterals || secretive(literal) || toolname.NotLiteral(literal) != "" {
		return false
	}
	*literals = append(*literals, literal)
	return true
}

// plainFolder matches the folders that may be in a condition: no shell or other system reads them differently.
var plainFolder = regexp.MustCompile(`^~?[\pL\pN/._+@ -]*$`)

// These are the kinds of folders.
const (
	absoluteFolder = iota
	homeFolder
	relativeFolder
)

func (p *parameter) learnPath(text string) bool {
	rest, kind, top := text, relativeFolder, "."
	switch {
	case strings.HasPrefix(text, "/"):
		kind, top = absoluteFolder, "/"
	case strings.HasPrefix(text, "~/"):
		kind, top, rest = homeFolder, "~", text[1:]
	}
	folder := top
	if kind != relativeFolder {
		folder = commonFolder(gopath.Dir(gopath.Clean(rest)), p.known(kind))
		if kind == homeFolder {
			folder = strings.TrimSuffix(top+folder, "/")
		}
	}
	root, err := pathname.NewRoot(folder)
	if err != nil || folder == "/" || !plainFolder.MatchString(folder) || secretive(folder) {
		return false
	}
	p.folders[kind] = folder
	return pathname.Within(text, []pathname.Root{root}, pathname.Place{}) == truth.Yes
}

// known is the common folder so far, relative to its root; "": there is none yet.
func (p *parameter) known(kind int) string {
	if kind == homeFolder && p.folders[kind] == "~" {
		return "/"
	}
	return strings.TrimPrefix(p.folders[kind], "~")
}

// commonFolder is the folder that contains both; if b is "", it is a.
func commonFolder(a, b string) string {
	if b == "" {
		return a
	}
	for !strings.HasPrefix(b+"/", strings.TrimSuffix(a, "/")+"/") {
		a = gopath.Dir(a)
	}
	return a
}

// allSecrets finds every kind of secret.
var allSecrets = func() *redact.Set {
	set, err := redact.New(redact.Config{Presets: redact.Presets()})
	if err != nil {
		panic("the presets cannot be looked for: " + err.Error()) // they are part of the program, and tested
	}
	return set
}()

// secretive says that a text could hold a secret.
func secretive(text string) bool { return len(allSecrets.Find(text)) > 0 }

// condition is a test that every value passes, as YAML; "": there is none.
func (p *parameter) condition() string {
	operator, literals := "", []string(nil)
	switch {
	case p.opaque:
	case p.commands:
		operator, literals = "runs", p.programs
	case p.addresses:
		operator, literals = "host_in", p.hosts
	case p.paths:
		operator = "within"
		for _, folder := range p.folders {
			if folder != "" {
				literals = append(literals, folder)
			}
		}
	}
	if len(literals) == 0 {
		return ""
	}
	slices.Sort(literals)
	quoted := make([]string, len(literals))
	for i, literal := range literals {
		quoted[i] = quoteYAML(literal)
	}
	return "{param_path: " + p.name + ", operator: " + operator + ", value: [" + strings.Join(quoted, ", ") + "]}"
}
