package weirtest

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/audit"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// Run plays every scenario in dir. With update it writes what came out into the files instead of comparing it; what
// holds for every scenario is checked all the same.
func Run(t *testing.T, dir string, update bool) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scenarios in %s: %v", dir, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			s, err := load(path)
			if err != nil {
				t.Fatal(err)
			}
			runScenario(t, s, update)
		})
	}
}

// A play is one exchange of a scenario.
type play struct {
	form    form
	piece   int // bytes that the upstream sends at once; 0: all
	request request
	reply   reply
	asked   []scripted.Request
	record  *record
}

func (p *play) String() string {
	if p.piece > 0 {
		return fmt.Sprintf("upstream.%s in pieces of %d", p.form, p.piece)
	}
	return "upstream." + string(p.form)
}

// maxPieces bounds the size of streams that are also sent byte by byte.
const maxPieces = 16 << 10

// plays are the exchanges of a scenario: each form as it is, and streams also byte by byte, which must not matter.
func (s *scenario) plays(sc script) []*play {
	var list []*play
	for _, f := range s.forms() {
		list = append(list, &play{form: f})
		if f == stream && !sc.abort && len(fromText([]byte(s.text("upstream.sse", none)))) <= maxPieces {
			list = append(list, &play{form: f, piece: 1})
		}
	}
	return list
}

func runScenario(t *testing.T, s *scenario, update bool) {
	sc, err := parseScript(s.text("script", none))
	if err != nil {
		t.Fatal(err)
	}
	plays := s.plays(sc)
	if err := s.perform(t, sc, plays); err != nil {
		t.Fatal(err)
	}
	for i, p := range plays {
		if update && p.piece == 0 {
			s.update(p, i == 0)
		}
		s.compare(t, p)
		s.checkAlways(t, p)
	}
	if s.alike() {
		checkAlike(t, s, plays)
	}
	if update {
		if err := s.save(); err != nil {
			t.Fatal(err)
		}
	}
}

// perform plays the exchanges one after the other against one weir.
func (s *scenario) perform(t *testing.T, sc script, plays []*play) error {
	var next atomic.Pointer[scripted.Answer]
	upstream, err := scripted.New(scripted.Config{Answer: func(scripted.Request) scripted.Answer { return *next.Load() }})
	if err != nil {
		return err
	}
	defer upstream.Close() //nolint:errcheck // all its answers were read
	w, err := startWeir(t, s, upstream.URL())
	if err != nil {
		return err
	}
	if sc.loseStore {
		err = w.loseStore()
	}
	if sc.noAnswer && err == nil {
		err = upstream.Close()
	}
	for _, p := range plays {
		if err != nil {
			break
		}
		before := len(upstream.Requests())
		var answer scripted.Answer
		if answer, err = s.answer(p.form, sc, p.piece); err == nil {
			next.Store(&answer)
			err = s.exchange(p, w.address)
		}
		p.asked = upstream.Requests()[before:]
	}
	entries, endErr := w.end(t.Context())
	if err = errors.Join(err, endErr); err != nil {
		return err
	}
	return attach(plays, entries)
}

// exchange plays the agent's part.
func (s *scenario) exchange(p *play, address string) (err error) {
	if p.request, err = s.request(p.form); err == nil {
		p.reply, err = p.request.send(address)
	}
	return err
}

// attach gives each play what was recorded of it.
func attach(plays []*play, entries []audit.Entry) error {
	var ids []string
	for _, p := range plays {
		ids = append(ids, p.reply.header.Get("X-Weir-Request-Id"))
	}
	records, err := recordsOf(entries, ids)
	if err != nil {
		return err
	}
	for i, p := range plays {
		p.record = records[ids[i]]
		p.reply.body = withoutChance(p.reply.body)
	}
	return nil
}

// chance finds the ids that weir invents.
var chance = regexp.MustCompile(`(req_)[0-9a-v]{24}|(msg_weir_|call_weir_|chatcmpl-weir-)[A-Z2-7]{26}`)

// withoutChance names invented ids alike in every run.
func withoutChance(body []byte) []byte { return chance.ReplaceAll(body, []byte("${1}${2}ID")) }

// bodyFile is the name of the file that holds the body for a play. Where both forms are played, an answer to one of them
// in another form has a name of its own: client.sse.json is whole where the upstream streamed.
func (s *scenario) bodyFile(p *play) string {
	got := p.reply.form()
	if len(s.forms()) > 1 {
		if got == p.form || got == none {
			return "client." + string(p.form)
		}
		return special("client."+string(got), p.form)
	}
	for _, f := range []form{stream, whole, plain} {
		if name := "client." + string(f); s.has(name) {
			return name
		}
	}
	return "client." + string(got)
}

// outcome is what came out, as the files of a scenario state it.
type outcome struct {
	Head, Body, Asked, AskedBody, Events string
}

// asUpstream stands for a body that is, byte for byte, the one that the upstream sent.
const asUpstream = "(as upstream)\n"

// sent is the body that the upstream sent, before any encoding.
func (s *scenario) sent(p *play) []byte {
	return bodyOf([]byte(s.text("upstream."+string(p.form), none)), p.form)
}

// clientBody is the body that the client got, as a scenario states it.
func (s *scenario) clientBody(p *play) string {
	sent := s.sent(p)
	if len(sent) > 0 && bytes.Equal(sent, p.reply.body) {
		return asUpstream
	}
	return string(textOf(p.reply.body, p.reply.form()))
}

// got is what came out of a play.
func (s *scenario) got(p *play) outcome {
	client, _ := parseHead(s.text("client.http", p.form))
	o := outcome{
		Head:   client.filled(strconv.Itoa(p.reply.status), p.reply.header, p.reply.broken).String(),
		Body:   s.clientBody(p),
		Events: string(p.record.text),
		Asked:  "nothing\n",
	}
	if len(p.asked) == 1 {
		a := p.asked[0]
		target := a.Path
		if a.RawQuery != "" {
			target += "?" + a.RawQuery
		}
		asked, _ := parseHead(s.text("asked.http", p.form))
		o.Asked = asked.filled(a.Method+" "+target, a.Header, false).String()
		o.AskedBody = string(textOf(a.Body, whole))
	}
	return o
}

// want is what the files say, with what holds where there is none taken from got.
func (s *scenario) want(p *play, got outcome) outcome {
	o := outcome{
		Head: s.text("client.http", p.form), Body: s.text(s.bodyFile(p), none), Asked: s.text("asked.http", p.form),
		AskedBody: s.text("asked.json", p.form), Events: s.text("events.jsonl", p.form),
	}
	if o.Head == "" {
		o.Head = head{first: "200"}.String()
	}
	if o.Asked == "" {
		o.Asked = got.Asked
		if asked := got.Asked != "nothing\n"; asked != (p.form != none) {
			o.Asked = fmt.Sprintf("the upstream is asked: %v\n", p.form != none)
		}
	}
	if o.AskedBody == "" && got.Asked != "nothing\n" {
		o.AskedBody = string(textOf(p.request.plain, whole))
	}
	return o
}

func (s *scenario) compare(t *testing.T, p *play) {
	t.Helper()
	got := s.got(p)
	if diff := cmp.Diff(s.want(p, got), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", p, diff)
	}
	if len(p.asked) > 1 {
		t.Errorf("%s: the upstream was asked %d times", p, len(p.asked))
	}
}

// update writes what came out into the scenario's files. A file that several plays share is the first one's to write:
// the others must come to the same.
func (s *scenario) update(p *play, first bool) {
	got := s.got(p)
	set := func(name, text string) {
		if first || s.has(special(name, p.form)) {
			s.set(name, p.form, []byte(text))
		}
	}
	s.set(s.bodyFile(p), none, []byte(got.Body))
	if _, ok := s.file("client.http", p.form); ok || got.Head != (head{first: "200"}).String() {
		set("client.http", got.Head)
	}
	if _, ok := s.file("asked.http", p.form); ok {
		set("asked.http", got.Asked)
	}
	if _, ok := s.file("asked.json", p.form); ok {
		set("asked.json", got.AskedBody)
	}
	set("events.jsonl", got.Events)
}

// checkAlways checks what holds for every exchange that weir enforces.
func (s *scenario) checkAlways(t *testing.T, p *play) {
	t.Helper()
	if p.reply.header.Get("X-Weir-Request-Id") == "" {
		t.Errorf("%s: the response has no request id", p)
	}
	if err := p.record.delivered(p.reply.body); err != nil {
		t.Errorf("%s: %v", p, err)
	}
	if p.reply.broken || p.reply.status != 200 || strings.Contains(s.text("weir.yaml", none), "enforcement: observe") {
		return
	}
	message, err := messageOf(p.reply.body, p.reply.form())
	if errors.Is(err, errUnfinished) {
		if _, sent := messageOf(s.sent(p), p.form); errors.Is(sent, errUnfinished) {
			return // as the upstream left it
		}
	}
	if err == nil && message != nil {
		err = message.wire.acceptable(message.text)
	}
	if err != nil {
		t.Errorf("%s: a client would not accept the response: %v", p, err)
	}
}

// checkAlike checks that a stream and a whole body came to the same: as they were sent, unless the stream is one that
// clients read differently, and as the client got them.
func checkAlike(t *testing.T, s *scenario, plays []*play) {
	t.Helper()
	sent, got := map[form]jsontext.Value{}, map[form]jsontext.Value{}
	for _, p := range plays {
		if m, err := messageOf(s.sent(p), p.form); err == nil && m != nil {
			sent[p.form] = m.text
		}
		m, err := messageOf(p.reply.body, p.form)
		if err != nil || m == nil {
			t.Fatalf("%s is no message that can be compared: %v", p, err)
		}
		got[p.form] = m.text
	}
	if len(sent) == 2 {
		if diff := difference(sent[stream], sent[whole]); diff != "" {
			t.Errorf("upstream.sse and upstream.json are not the same message:\n%s", diff)
		}
	}
	if diff := difference(got[stream], got[whole]); diff != "" {
		t.Errorf("streamed and whole differ (-client.sse +client.json):\n%s", diff)
	}
}
