package proxy

import (
	"net/http"
	"strings"
	"time"
)

// A bearing is how long a client was seen to wait while it gets only keep-alives.
type bearing struct {
	program string // how its User-Agent begins
	wait    time.Duration
}

// bearings are the clients that were measured, each for longer than it has here, or until it gave up. 0 is as long as bounds.hold; what a
// format's clients bear (dialect.Format.Patience) and what no keep-alive can help (Bedrock's binary stream) bounds all of them.
var bearings = []bearing{
	{"claude-cli/", 0}, // 570 s since the last event that is no ping: see the format
	{"codex", 0},       // 960 s with events; it does not count comments
	{"GeminiCLI", 0},   // 960 s with empty texts
	{"opencode/", 0},   // 960 s with comments
	{"ai-sdk/", 0},     // no limit of its own
	{"Anthropic/", 0},  // the SDKs: white space before a whole body counts, too
	{"OpenAI/", 0},
	{"AsyncAnthropic/", 0},
	{"AsyncOpenAI/", 0},
	{"google-genai-sdk/", 0},
}

// unknownBearing is for all other clients: many stacks cut a connection after 300 seconds.
const unknownBearing = 240 * time.Second

// bears is how long the client of a request waits for a person's decision; 0: as long as any call may be held.
func bears(r *http.Request) time.Duration {
	agent := r.UserAgent()
	for _, b := range bearings {
		if strings.HasPrefix(agent, b.program) {
			return b.wait
		}
	}
	return unknownBearing
}
