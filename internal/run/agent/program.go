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
	{"GOOGLE_VERTEX_BASE_URL", "", IsVertexHost},
	{"ANTHROPIC_VERTEX_BASE_URL", "/v1", IsVertexHost},
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
func (Program) Launch(p Surroundings, w Weir, args []string) (Launch, error) {
	l := Launch{Args: args, Set: map[string]string{}, Notes: programNotes}
	route := func(name, byDefault string) error {
		value := p.Env(name)
		if value == "" {
			if byDefault != "" {
				l.Set[name] = byDefault
			}
			return nil
		}
		through, ok := w.Route(value)
		if !ok {
			return NotUpstream("environment", name, value)
		}
		l.Set[name] = through
		return nil
	}
	for _, a := range programAddresses {
		byDefault := ""
		if _, ok := w.Upstreams[a.upstream]; ok {
			byDefault = w.URL(a.upstream, a.rest)
		}
		if same := p.Env(a.like); same != "" {
			byDefault, _ = w.Route(same)
		}
		if err := route(a.name, byDefault); err != nil {
			return Launch{}, err
		}
	}
	for _, a := range hostedAddresses {
		byDefault := ""
		if name, ok := w.UpstreamAt(a.is); ok {
			byDefault = w.URL(name, a.rest)
		}
		if err := route(a.name, byDefault); err != nil {
			return Launch{}, err
		}
	}
	routeOllama(p, w, &l)
	return l, nil
}

// routeOllama routes clients of Ollama. A server also uses the variable, for the address on which it listens. So a value that weir
// does not know is no mistake.
func routeOllama(p Surroundings, w Weir, l *Launch) {
	value := p.Env(ollamaHost)
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
	through, ok := w.Route(address)
	if !ok {
		l.Notes = append(l.Notes[:len(l.Notes):len(l.Notes)], "environment: OLLAMA_HOST is "+Show(value)+
			", which is not an upstream of weir, and stays; declare it under upstreams in weir.yaml to route it")
		return
	}
	l.Set[ollamaHost] = through
}

// VertexHost returns the host of Vertex AI in a location.
func VertexHost(location string) string {
	switch location {
	case "", "global":
		return "aiplatform.googleapis.com"
	case "us", "eu":
		return "aiplatform." + location + ".rep.googleapis.com"
	default:
		return location + "-aiplatform.googleapis.com"
	}
}

// IsVertexHost says whether a host belongs to Vertex AI.
func IsVertexHost(host string) bool {
	return strings.HasSuffix(host, "-aiplatform.googleapis.com") || host == VertexHost("") || host == VertexHost("us") ||
		host == VertexHost("eu")
}
