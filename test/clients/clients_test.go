package clients

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A performance is a scene that was played to a client.
type performance struct {
	kind   kind
	scene  scene
	result result
}

// TestClients plays every scene to every client. Afterwards, when the weirs have ended, their records must tell what
// the clients saw.
func TestClients(t *testing.T) {
	binary := build(t)
	m := startModel(t)
	weirs := map[string]*weir{}
	for name, text := range settings {
		weirs[name] = startWeir(t, binary, text, m.URL())
	}
	troupe := &troupe{model: m, weirs: weirs}
	t.Run("play", func(t *testing.T) {
		for _, p := range platforms {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				start := p.prepare(t)
				for _, k := range p.kinds {
					t.Run(k.name, func(t *testing.T) {
						t.Parallel()
						troupe.playAll(t, k, startClient(t, start(t, k.name)))
					})
				}
			})
		}
	})
	for name, w := range weirs {
		t.Run("record of "+name, func(t *testing.T) {
			w.stop(t)
			w.command(t, "audit", "verify", "--store", w.store)
			record := w.record(t)
			for _, p := range troupe.played {
				if p.scene.door == name {
					t.Run(p.kind.name+"/"+p.scene.name, func(t *testing.T) { p.checkRecord(t, record) })
				}
			}
		})
	}
}

// A troupe plays scenes to clients, to several at a time.
type troupe struct {
	model *model
	weirs map[string]*weir

	mu     sync.Mutex
	played []performance
}

// playAll plays to one client what can be played to its kind.
func (tr *troupe) playAll(t *testing.T, k kind, c *client) {
	for _, s := range scenes() {
		if s.waitsFor != "" && !k.streamed {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			st := tr.model.open(k.name+"/"+s.name, s)
			p := performance{k, s, c.do(t, s.job(k, tr.weirs[s.door].address), st.progress)}
			tr.mu.Lock()
			tr.played = append(tr.played, p)
			tr.mu.Unlock()
			p.check(t, st)
		})
	}
}

func (s scene) job(k kind, address string) job {
	headers := map[string]string{stageHeader: k.name + "/" + s.name}
	for name, value := range s.headers {
		headers[name] = value
	}
	return job{
		BaseURL: address + s.path + "/anthropic", APIKey: "sk-test-000", Headers: headers, Model: modelName,
		Prompt: "Please begin.", Padding: s.padding, Retries: s.retries, Tools: jsontext.Value(toolsJSON),
	}
}

// progress lets the scene go on when the client has got as far as it waits for.
func (st *stage) progress(what string) {
	if what == st.scene.waitsFor {
		close(st.release)
	}
}

// check compares what the client has with what it should have.
func (p performance) check(t *testing.T, st *stage) {
	want := p.scene.want(p.kind.streamed)
	p.checkError(t, want)
	if diff := cmp.Diff(want.executed, p.result.Executed, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("executed calls (-want +got):\n%s", diff)
	}
	if want.err == nil {
		p.checkTurns(t, want)
	}
	if err := checkEvents(p.result.Events, want.err == nil); err != nil {
		t.Error(err)
	}
	if bytes.Contains(p.result.output, []byte(marker)) {
		t.Errorf("the client got something of what is forbidden:\n%s", p.result.output)
	}
	p.checkRequests(t, st, want)
}

func (p performance) checkError(t *testing.T, want outcome) {
	got := p.result.Error
	switch {
	case (got == nil) != (want.err == nil):
		t.Errorf("the SDK raised %+v, want %+v", got, want.err)
	case got == nil:
	case want.err.Type != "" && got.Type != want.err.Type, want.err.Status != 0 && got.Status != want.err.Status,
		!strings.Contains(got.Message, want.err.Message):
		t.Errorf("the SDK raised %+v, want %+v", got, want.err)
	}
	if n := len(p.result.Responses); want.err != nil && n != 1 {
		t.Errorf("the SDK tried %d times, want 1", n)
	}
}

func (p performance) checkTurns(t *testing.T, want outcome) {
	turns := p.result.Turns
	if len(turns) != 2 {
		t.Errorf("the conversation has %d turns, want 2", len(turns))
		return
	}
	if diff := cmp.Diff(want.content, turns[0].Content); diff != "" {
		t.Errorf("first turn (-want +got):\n%s", diff)
	}
	if got := turns[0].StopReason; got != want.stop {
		t.Errorf("first turn: stop reason %q, want %q", got, want.stop)
	}
	if u := turns[0].Usage; !want.broken && (u.Input != inputTokens || u.Output != outputTokens) {
		t.Errorf("first turn: usage %+v, want %d and %d", u, inputTokens, outputTokens)
	}
	if diff := cmp.Diff(lastTurn.seen(), turns[1].Content); diff != "" {
		t.Errorf("second turn (-want +got):\n%s", diff)
	}
}

// checkRequests looks at what reached the model: not more than it should, nothing forbidden, and no key of weir's.
func (p performance) checkRequests(t *testing.T, st *stage, want outcome) {
	asked := st.asked()
	number := want.asked
	switch number {
	case 0:
		number = 2
	case none:
		number = 0
	}
	if len(asked) != number {
		t.Errorf("the model was asked %d times, want %d", len(asked), number)
	}
	key := "sk-test-000"
	if p.scene.door == "keyed" {
		key = upstreamKey
	}
	for i, r := range asked {
		if bytes.Contains(r.Body, []byte(marker)) {
			t.Errorf("request %d tells the model what is forbidden: %s", i, r.Body)
		}
		if got := credentials(r.Header); got != key {
			t.Errorf("request %d has the API key %q, want %q", i, got, key)
		}
		if r.Header.Get("X-Weir-Key") != "" {
			t.Errorf("request %d has weir's own key", i)
		}
	}
}

// credentials are all that a request shows to be let in. SDKs differ in where they put their key.
func credentials(h http.Header) string {
	return strings.Join(append(h.Values("X-Api-Key"), strings.TrimPrefix(h.Get("Authorization"), "Bearer ")), "")
}
