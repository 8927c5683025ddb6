package agent

import "strings"

// A Program is a program that weir does not know: it is routed by the variables that the SDKs of model providers read.
type Program struct{}

// programAddresses are the variables that SDKs read, and their upstreams.
var programAddresses = []struct {
	name, upstream, rest string
	like                 string // another variable with the same meaning: its value is used if this one is not set
}{
	{"ANTHROPIC_BASE_URL", "anthropic", "", ""},
	{"OPENAI_BASE_URL", "openai", "/v1", "OPENAI_API_BASE"},
	{"OPENAI_API_BASE", "openai", "/v1", "OPENAI_BASE_URL"}, // older SDKs and frameworks read this
	{"GOOGLE_GEMINI_BASE_URL", "gemini", "", ""},
	{"CODE_ASSIST_ENDPOINT", "codeassist", "", ""},
}

// hostedAddresses are like programAddresses, for services whose address depends on the region: they are set if weir has an upstream
// with such a host.
var hostedAddresses = []struct {
	name, rest string
	is         func(host string) bool
}{
	{"AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "", isBedrockHost},
	{"ANTHROPIC_BEDROCK_BASE_URL", "", isBedrockHost},
	{"GOOGLE_VERTEX_BASE_URL", "", isVertexHost},
	{"ANTHROPIC_VERTEX_BASE_URL", "/v1", isVertexHost},
	{"AZURE_OPENAI_ENDPOINT", "", nowhere}, // if it is set, programs use Azure: so its value is changed, but it is never added
}

const ollamaHost = "OLLAMA_HOST"

func isBedrockHost(host string) bool {
	return strings.HasPrefix(host, "bedrock-runtime.") && strings.HasSuffix(host, ".amazonaws.com")
}

func nowhere(string) bool { return false }

// programNotes say what variables cannot achieve.
var programNotes = []string{
	"weir does not know this program, and routes it with environment variables: of addresses in its code or settings, weir sees only " +
		"connections",
}

// Launch says how to start it with these arguments so that it is routed through weir.
func (Program) Launch(p Place, w Weir, args []string) (Launch, error) {
	l := Launch{Args: args, Set: map[string]string{}, Notes: programNotes}
	lead := func(name, byDefault string) error {
		value := p.env(name)
		if value == "" {
			if byDefault != "" {
				l.Set[name] = byDefault
			}
			return nil
		}
		through, ok := w.lead(value)
		if !ok {
			return unled("environment", name, value)
		}
		l.Set[name] = through
		return nil
	}
	for _, a := range programAddresses {
		byDefault := ""
		if _, ok := w.Upstreams[a.upstream]; ok {
			byDefault = w.URL(a.upstream, a.rest)
		}
		if same := p.env(a.like); same != "" {
			byDefault, _ = w.lead(same)
		}
		if err := lead(a.name, byDefault); err != nil {
			return Launch{}, err
		}
	}
	for _, a := range hostedAddresses {
		byDefault := ""
		if name, ok := w.upstreamAt(a.is); ok {
			byDefault = w.URL(name, a.rest)
		}
		if err := lead(a.name, byDefault); err != nil {
			return Launch{}, err
		}
	}
	leadOllama(p, w, &l)
	return l, nil
}

// leadOllama routes clients of Ollama. A server also uses the variable, for the address on which it listens. So a value that weir
// does not know is no mistake.
func leadOllama(p Place, w Weir, l *Launch) {
	value := p.env(ollamaHost)
	if value == "" {
		if _, ok := w.Upstreams["ollama"]; ok {
			l.Set[ollamaHost] = w.URL("ollama", "")
		}
		return
	}
	address := value
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	through, ok := w.lead(address)
	if !ok {
		l.Notes = append(l.Notes[:len(l.Notes):len(l.Notes)], "environment: OLLAMA_HOST is "+show(value)+
			", which is not an upstream of weir, and stays; declare it under upstreams in weir.yaml to route it")
		return
	}
	l.Set[ollamaHost] = through
}
