// Package clients has official SDKs, which run as programs of their own, talk to a scripted model through the real weir.
//
// A suite is a folder below this one. It plays scenes of one wire format to every client that speaks it, and then compares
// what the clients saw with what the weirs recorded.
package clients

import (
	"fmt"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/internal/weirtest/program"
)

// A Suite is scenes of one wire format and the clients that they are played to.
type Suite[T Turn] struct {
	Programs []Program
	Policy   string            // of every weir, as YAML
	Settings map[string]string // what the weirs differ in, by their names, as YAML; %[1]q is the address of the model
	Scenes   []Scene[T]
	Stories  []Story[T]
	Last     T              // the turn that ends every conversation
	Model    string         // the model's name
	Tools    jsontext.Value // what the clients declare
	// KeyHeader names the header in which weir sends its upstream key in place of a client's.
	KeyHeader func(Kind) string
	// CheckEvents says what is wrong with the events that a client read from streams that follow each other. All but the
	// last must come to their end, and the last too if it is said to be whole.
	CheckEvents func(events []jsontext.Value, whole bool) error
	// CheckTurns says what is wrong between the turns of one client; nil: nothing can be.
	CheckTurns func([]T) error
}

// A weir is a running one.
type weir struct {
	program.Install
	*program.Process
}

// A performance is a scene that was played to a client.
type performance[T Turn] struct {
	suite  *Suite[T]
	kind   Kind
	scene  Scene[T]
	result result[T]
}

// Run plays every scene to every client. Afterwards, when the weirs have ended, their records must tell what the clients
// saw.
func (s Suite[T]) Run(t *testing.T) {
	binary := need.Weir(t)
	m := startModel(t)
	weirs := map[string]weir{}
	for name, text := range s.Settings {
		in := program.In(t.TempDir(), binary)
		weirs[name] = weir{in, in.Serve(t, fmt.Sprintf(text, m.URL())+s.Policy)}
	}
	tr := &troupe[T]{suite: &s, model: m, weirs: weirs, binary: binary}
	t.Run("play", func(t *testing.T) {
		for _, p := range s.Programs {
			t.Run(p.Name, func(t *testing.T) {
				t.Parallel()
				a := &actor{t: t, start: p.Prepare(t)}
				for _, k := range p.Kinds {
					t.Run(k.Name, func(t *testing.T) {
						tr.playAll(t, k, a)
						tr.tellAll(t, k, a)
					})
				}
			})
		}
	})
	for name, w := range weirs {
		t.Run("record of "+name, func(t *testing.T) {
			w.Stop(t)
			record := recordOf(t, w.Install)
			for _, p := range tr.played {
				if p.scene.Door == name {
					t.Run(p.kind.Name+"/"+p.scene.Name, func(t *testing.T) { p.checkRecord(t, record) })
				}
			}
		})
	}
}

// A troupe plays scenes to clients, to several at a time.
type troupe[T Turn] struct {
	suite  *Suite[T]
	model  *model
	weirs  map[string]weir
	binary string

	mu     sync.Mutex
	played []performance[T]
}

// playAll plays to one client what can be played to its kind.
func (tr *troupe[T]) playAll(t *testing.T, k Kind, a *actor) {
	for _, s := range tr.suite.Scenes {
		if s.WaitsFor != "" && !k.Streamed || s.For != nil && !s.For(k) {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			st := tr.model.open(stageName(k, s), &stage{kind: k, model: s.Model, waitsFor: s.WaitsFor})
			got := do[T](t, a.client(), tr.suite.job(k, s, tr.weirs[s.Door].Base, stageName(k, s)), st.progress)
			p := performance[T]{tr.suite, k, s, got}
			tr.mu.Lock()
			tr.played = append(tr.played, p)
			tr.mu.Unlock()
			p.check(t, st.asked())
		})
	}
}

func stageName[T Turn](k Kind, s Scene[T]) string { return k.Name + "/" + s.Name }

// apiKey is what clients hold.
const apiKey = "sk-test-000"

// job is what a client has to do in a scene. stage is where the model answers it.
func (s *Suite[T]) job(k Kind, sc Scene[T], address, stage string) job {
	headers := map[string]string{stageHeader: stage}
	for name, value := range sc.Headers {
		headers[name] = value
	}
	return job{
		Kind: k.Name, BaseURL: address + sc.Path + "/" + k.Upstream, APIKey: apiKey, Headers: headers, Model: s.Model,
		Prompt: "Please begin.", Padding: sc.Padding, Retries: sc.Retries, Tools: s.Tools,
		Options: sc.Options,
	}
}
