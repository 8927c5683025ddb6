package clients

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/internal/weirtest/program"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// A Trial is one answer of the model, which every client of its format folds.
type Trial struct {
	Name   string // by which it is made again
	Format string
	Whole  bool // it is no stream
	// Path and Asks are the request that asks for it as a stream, for who reads the wire without an SDK.
	Path, Asks string
	Header     http.Header
	Body       []byte
}

// A Differential plays many answers, regular and broken, through one weir, and wants every call that an SDK hands out to be on
// record as released, with the same arguments. The name of a kind is a format, a way (stream or whole) and an SDK.
type Differential struct {
	Programs []Program
	Raw      []Kind // read the wire themselves, in the process of the test
	Settings string // as those of a Suite
	Trials   []Trial
	Tools    []string // for clients that must know what they may be asked for
	Again    func(Trial) string
}

// A Fold is what an SDK handed out of one answer.
type Fold struct {
	Given  []Given          `json:"calls"`
	Events []jsontext.Value `json:"events"`
}

// A Given call is one that an SDK handed out, with all that the SDK has of it.
type Given struct {
	ID   string         `json:"id"`
	Name string         `json:"name"`
	Args any            `json:"args"`
	All  jsontext.Value `json:"all"`
}

// Calls implements Turn.
func (f Fold) Calls() (calls []Call) {
	for _, g := range f.Given {
		calls = append(calls, Call{ID: g.ID, Name: g.Name, Args: g.Args})
	}
	return calls
}

// folded is a trial that a client has folded.
type folded struct {
	trial Trial
	kind  Kind
	got   result[Fold]
}

// Run plays every trial to every client of its format.
func (d Differential) Run(t *testing.T) {
	m := startModel(t)
	for _, tr := range d.Trials {
		m.open(tr.Name, &stage{model: fixed(tr)})
	}
	in := program.In(t.TempDir(), need.Weir(t))
	w := in.Serve(t, fmt.Sprintf(d.Settings, m.URL()))
	var mu sync.Mutex
	var all []folded
	keep := func(f folded) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, f)
	}
	t.Run("fold", func(t *testing.T) {
		t.Run("raw", func(t *testing.T) {
			t.Parallel()
			d.each(d.Raw, func(k Kind, tr Trial) { keep(folded{tr, k, readRaw(t, d.job(k, tr, w), k, tr)}) })
		})
		for _, p := range d.Programs {
			t.Run(p.Name, func(t *testing.T) {
				t.Parallel()
				a := &actor{t: t, start: p.Prepare(t)}
				d.each(p.Kinds, func(k Kind, tr Trial) {
					keep(folded{tr, k, do[Fold](t, a.client(), d.job(k, tr, w), func(string) {})})
				})
			})
		}
	})
	w.Stop(t)
	record := recordOf(t, in)
	calls, faulty := 0, 0
	for _, f := range all {
		calls += len(f.calls())
		wrong := f.check(record)
		if len(wrong) == 0 {
			continue
		}
		if faulty++; faulty <= maxShown {
			t.Errorf("%s, %s: %s\nagain: %s\nthe model said:\n%q", f.trial.Name, f.kind.Name, strings.Join(wrong, "\n"), d.Again(f.trial),
				f.trial.Body)
		}
	}
	if faulty > maxShown {
		t.Errorf("%d more", faulty-maxShown)
	}
	t.Logf("%d answers, folded %d times, gave %d calls", len(d.Trials), len(all), calls)
	if calls == 0 && len(all) > 0 {
		t.Error("no client was given a call: nothing is compared")
	}
}

// maxShown is how many failures are shown: most have one cause.
const maxShown = 5

// each goes through the trials of each kind.
func (d Differential) each(kinds []Kind, do func(Kind, Trial)) {
	for _, k := range kinds {
		for _, tr := range d.Trials {
			words := strings.Fields(k.Name)
			if words[0] == tr.Format && (words[1] == "whole") == tr.Whole {
				do(k, tr)
			}
		}
	}
}

func (d Differential) job(k Kind, tr Trial, w *program.Process) job {
	none := 0
	return job{
		Kind: k.Name, BaseURL: w.Base + "/" + k.Upstream, APIKey: apiKey, Headers: map[string]string{stageHeader: tr.Name},
		Model: "m", Prompt: "Please begin.", Retries: &none, Options: Options{"tools": d.Tools},
	}
}

// fixed is a model that always says the same.
type fixed Trial

// Answer implements Model.
func (f fixed) Answer(Kind, scripted.Request, <-chan struct{}) scripted.Answer {
	return scripted.Answer{Header: f.Header, Steps: []scripted.Step{scripted.Write(f.Body)}}
}

func (f folded) calls() (calls []Given) {
	for _, turn := range f.got.Turns {
		calls = append(calls, turn.Turn.Given...)
	}
	return calls
}

// check says what is wrong with what a client was given.
func (f folded) check(record map[string][]entry) (wrong []string) {
	var entries []entry
	for _, r := range f.got.Responses {
		entries = append(entries, record[r.Request]...)
	}
	for _, g := range f.calls() {
		if why := g.check(entries); why != "" {
			wrong = append(wrong, fmt.Sprintf("%s of %s %v", why, g.Name, g.Args))
		}
		if hidden := hiddenIn(g.All); hidden != "" {
			wrong = append(wrong, fmt.Sprintf("beside the arguments of %s stands %s", g.Name, hidden))
		}
	}
	for _, turn := range f.got.Turns {
		for _, e := range turn.Turn.Events {
			if why := aboutCall(e, entries, f.trial.Body); why != "" {
				wrong = append(wrong, why)
			}
		}
	}
	return wrong
}

// check says what is wrong with a call; "" if it is on record as released, with these arguments.
func (g Given) check(entries []entry) string {
	why := "there is no record"
	for _, e := range entries {
		if !e.isCall() || !e.names(g.Name) {
			continue
		}
		switch {
		case e.Blocked:
			why = "refused on record, but given: the call"
		case !cmp.Equal(orNone(e.Args), orNone(g.Args)):
			why = fmt.Sprintf("judged were %v, given the arguments", e.Args)
		default:
			return ""
		}
	}
	return why
}

// orNone are arguments, where there are none too.
func orNone(args any) any {
	if args == nil {
		return map[string]any{}
	}
	return args
}

// names says whether a call on record is one to a tool of this name.
func (e entry) names(name string) bool {
	return e.Tool == name || e.Detail.Written == name || slices.Contains(e.Detail.Aliases, name) || slices.Contains(e.Detail.Spellings, name)
}

// HiddenMember is the member of everything that stands beside the arguments of a call and must not reach a client. Its value has
// the Marker in it.
const HiddenMember = "hidden_path"

// lenient is how what clients hand out is read: some show half a character, or a member that is there twice, as it came.
var lenient = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// hiddenIn is what a client was given beside the arguments that were judged; "" if nothing was.
func hiddenIn(all jsontext.Value) string {
	var value any
	if json.Unmarshal(all, &value, lenient) != nil {
		return ""
	}
	return findHidden(value, 0)
}

func findHidden(value any, depth int) string {
	switch v := value.(type) {
	case string:
		var inner any
		if text := strings.TrimSpace(v); depth < 8 && strings.Contains(text, HiddenMember) &&
			json.Unmarshal([]byte(text), &inner, lenient) == nil {
			return findHidden(inner, depth+1)
		}
	case []any:
		for _, elem := range v {
			if found := findHidden(elem, depth); found != "" {
				return found
			}
		}
	case map[string]any:
		for name, member := range v {
			if text, ok := member.(string); ok && name == HiddenMember && strings.Contains(text, Marker) {
				return fmt.Sprintf("%v", v)
			}
			if found := findHidden(member, depth); found != "" {
				return found
			}
		}
	}
	return ""
}

// PreviewMember is the member of events of unknown types that are about a call.
const PreviewMember = "preview_of"

// aboutCall says that an event of an unknown type is about a call on record, by its id; "" if it is none, or if the call was not
// known yet when the event came.
func aboutCall(event jsontext.Value, entries []entry, body []byte) string {
	if !bytes.Contains(event, []byte(PreviewMember)) {
		return ""
	}
	var e struct {
		Of string `json:"preview_of"`
	}
	if json.Unmarshal(event, &e, lenient) != nil {
		return ""
	}
	for _, c := range entries {
		if c.isCall() && c.WireID != "" && c.WireID == e.Of && knownBefore(body, e.Of) {
			return fmt.Sprintf("an event of an unknown type is about the call %s: %s", c.WireID, event)
		}
	}
	return ""
}

// knownBefore says whether the id of a call stands in a body before the first event of an unknown type that is about the call.
func knownBefore(body []byte, id string) bool {
	preview := bytes.Index(body, []byte(`"`+PreviewMember+`":"`+id+`"`))
	return preview > 0 && bytes.Contains(body[:preview], []byte(`"`+id+`"`))
}
