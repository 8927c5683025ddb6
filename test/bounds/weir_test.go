package bounds

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/internal/weirtest/program"
)

// weirBinary is the real weir.
var weirBinary string

func TestMain(m *testing.M) { os.Exit(need.Main(m, &weirBinary)) }

// The bounds of the weir under attack, in bytes.
const (
	mib        = 1 << 20
	heldClient = 64 * mib
	heldTotal  = 112 * mib
)

const settings = `upstreams:
  anthropic: {url: %[1]q}
  gemini: {url: %[1]q}
  ollama: {url: %[1]q}
  bedrock: {url: %[1]q}
policy:
  version: 1
  default: allow
  mcp: {servers: [{id: far, type: http, url: "%[1]s/mcp"}]}
bounds: {held_client: 64MiB, held_total: 112MiB}
metrics: {enabled: true, token: metrics-token-0123456789}
bodies: {store: true}
clients:
  - {key: attacker-key-0123456789, name: attacker}
  - {key: neighbour-key-0123456789, name: neighbour}
  - {key: third-key-0123456789, name: third}
`

// A weir is under attack.
type weir struct {
	t       *testing.T
	process *program.Process
	// over ends what the upstream keeps waiting.
	over chan struct{}
}

// serve runs a weir with more settings in front of an upstream.
func serve(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, over <-chan struct{}), more ...string) *weir {
	t.Helper()
	a := &weir{t: t, over: make(chan struct{})}
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Ordinary") != "" {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, ordinary)
			return
		}
		answer(w, r, a.over)
	}))
	t.Cleanup(func() { // when weir has ended
		upstream.CloseClientConnections()
		upstream.Close()
	})
	a.process = program.In(t.TempDir(), weirBinary).Serve(t, fmt.Sprintf(settings, upstream.URL)+strings.Join(more, ""))
	return a
}

// ordinary is an answer that has nothing in it that could be refused.
const ordinary = `{"id":"msg_1","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"hi"}],` +
	`"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`

// ask sends a request to an upstream by a client, and returns the status and the beginning of the answer. It may last until the attack is
// over.
func (a *weir) ask(ctx context.Context, key, path string, h http.Header, body io.Reader) (status int, head string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.process.Base+path, body)
	if err != nil {
		return 0, "", err
	}
	r.Header = http.Header{}
	maps.Copy(r.Header, h)
	r.Header.Set("X-Weir-Key", key+"-key-0123456789")
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text[:min(len(text), 2000)]), err
}

// neighbourIsFine checks that another client is served as ever.
func (a *weir) neighbourIsFine() {
	a.t.Helper()
	for range 3 {
		status, text, err := a.ask(a.t.Context(), "neighbour", "/anthropic/v1/messages", http.Header{"X-Ordinary": {"1"}},
			strings.NewReader(`{"model":"m","messages":[]}`))
		if status != http.StatusOK || !strings.Contains(text, `"hi"`) || err != nil {
			a.t.Errorf("the neighbour got %d %s %v", status, text, err)
		}
	}
}

// metrics reads what weir counts.
func (a *weir) metrics() map[string]float64 {
	a.t.Helper()
	r, _ := http.NewRequestWithContext(a.t.Context(), http.MethodGet, a.process.Base+"/metrics", http.NoBody)
	r.Header.Set("Authorization", "Bearer metrics-token-0123456789")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		a.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	all := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		all[name], _ = strconv.ParseFloat(value, 64)
	}
	return all
}

// held is what weir says that it holds.
func held(m map[string]float64) (sum float64) {
	for name, n := range m {
		if strings.HasPrefix(name, "weir_held_bytes") {
			sum += n
		}
	}
	return sum
}

// until waits for a condition on what weir counts.
func (a *weir) until(what string, holds func(map[string]float64) bool) map[string]float64 {
	a.t.Helper()
	deadline := time.Now().Add(2 * time.Minute)
	for {
		m := a.metrics()
		if holds(m) {
			return m
		}
		if time.Now().After(deadline) {
			a.t.Fatalf("%s did not come to pass: held %v, over budget %v and %v", what, held(m),
				m[`weir_over_budget_total{scope="client"}`], m[`weir_over_budget_total{scope="total"}`])
		}
		time.Sleep(20 * time.Millisecond) // weir has no other way to tell
	}
}

// isWithin checks that what is held, and the heap, are within the bounds of one client.
func (a *weir) isWithin(m map[string]float64) {
	a.t.Helper()
	if n := held(m); n > heldClient+3*mib { // the neighbour holds a little, too
		a.t.Errorf("%.0f bytes are held", n)
	}
	if heap := m["go_memstats_heap_alloc_bytes"]; heap > 3*heldTotal {
		a.t.Errorf("the heap has %.0f MiB", heap/mib)
	}
}

// isEmptied checks that all is given back.
func (a *weir) isEmptied() {
	a.t.Helper()
	a.until("all is given back", func(m map[string]float64) bool { return held(m) == 0 })
}

// zip compresses a text that a function writes.
func zip(write func(w io.Writer)) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	write(z)
	_ = z.Close() // it goes to memory
	return b.Bytes()
}

// fill writes a text over and over until there are n bytes.
func fill(w io.Writer, text string, n int) {
	text = strings.Repeat(text, max(1, 64<<10/len(text)))
	for ; n > 0; n -= len(text) {
		_, _ = io.WriteString(w, text) // it goes to memory
	}
}
