package weirtest

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/fold"
)

// sliced is of how many scenarios one is played in short.
const sliced = 12

// Run plays every scenario in dir, or in short a slice of them. With update it writes what came out into the files instead of comparing
// it; what holds for every scenario is checked all the same.
func Run(t *testing.T, dir string, update bool) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scenarios in %s: %v", dir, err)
	}
	for i, path := range paths {
		if testing.Short() && i%sliced != 0 {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			s, err := load(path)
			if err != nil {
				t.Fatal(err)
			}
			if s.isMCP() {
				runMCP(t, s, update)
				return
			}
			runScenario(t, s, update)
		})
	}
}

func runScenario(t *testing.T, s *scenario, update bool) {
	var plays []*play
	written := map[string]bool{}
	for _, r := range s.runs() {
		if err := r.perform(t); err != nil {
			t.Fatal(err)
		}
		for _, p := range r.plays {
			if file := p.name(string(p.form)); update && !written[file] {
				p.update(!written[p.name("")])
				written[file], written[p.name("")] = true, true
			}
			p.compare(t)
			p.checkAlways(t)
		}
		plays = append(plays, r.plays...)
	}
	for _, x := range s.exchanges {
		if forms := x.alike(); len(forms) > 1 {
			checkAlike(t, slices.DeleteFunc(slices.Clone(plays), func(p *play) bool {
				return p.exchange != x || !slices.Contains(forms, p.form)
			}))
		}
	}
	if update {
		if err := s.save(); err != nil {
			t.Fatal(err)
		}
	}
}

// bodyFile is the name of the file that holds the body for a play. Where several forms are played, an answer to one of them
// in another form has a name of its own: client.sse.json is whole where the upstream streamed.
func (p *play) bodyFile() string {
	got := p.reply.form()
	if len(p.forms()) > 1 {
		if got == p.form || got == none {
			return "client." + string(p.form)
		}
		return special("client."+string(got), p.form)
	}
	for _, f := range answers {
		if name := "client." + string(f); p.has(name) {
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
func (p *play) sent() []byte {
	return bodyOf([]byte(p.text("upstream."+string(p.form), none)), p.form)
}

// clientBody is the body that the client got, as a scenario states it.
func (p *play) clientBody() string {
	sent := p.sent()
	if len(sent) > 0 && bytes.Equal(sent, p.reply.body) {
		return asUpstream
	}
	return string(textOf(p.reply.body, p.reply.form()))
}

// got is what came out of a play.
func (p *play) got() outcome {
	client, _ := parseHead(p.text("client.http", p.form))
	o := outcome{
		Head:   client.filled(strconv.Itoa(p.reply.status), p.reply.header, p.reply.broken).String(),
		Body:   p.clientBody(),
		Events: string(p.record.text),
		Asked:  "nothing\n",
	}
	if len(p.asked) == 1 {
		a := p.asked[0]
		target := a.Path
		if a.RawQuery != "" {
			target += "?" + a.RawQuery
		}
		asked, _ := parseHead(p.text("asked.http", p.form))
		o.Asked = asked.filled(a.Method+" "+target, a.Header, false).String()
		o.AskedBody = string(textOf(withoutChance(a.Body), whole))
	}
	return o
}

// want is what the files say, with what holds where there is none taken from got.
func (p *play) want(got outcome) outcome {
	o := outcome{
		Head: p.text("client.http", p.form), Body: p.text(p.bodyFile(), none), Asked: p.text("asked.http", p.form),
		AskedBody: p.text("asked.json", p.form), Events: p.text("events.jsonl", p.form),
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

func (p *play) compare(t *testing.T) {
	t.Helper()
	got := p.got()
	if diff := cmp.Diff(p.want(got), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", p, diff)
	}
	if len(p.asked) > 1 {
		t.Errorf("%s: the upstream was asked %d times", p, len(p.asked))
	}
}

// update writes what came out into the scenario's files. A file that several plays share is the first one's to write:
// the others must come to the same.
func (p *play) update(first bool) {
	got := p.got()
	set := func(name, text string) {
		if first || p.has(special(name, p.form)) {
			p.set(name, p.form, []byte(text))
		}
	}
	p.set(p.bodyFile(), none, []byte(got.Body))
	if _, ok := p.file("client.http", p.form); ok || got.Head != (head{first: "200"}).String() {
		set("client.http", got.Head)
	}
	if _, ok := p.file("asked.http", p.form); ok {
		set("asked.http", got.Asked)
	}
	if _, ok := p.file("asked.json", p.form); ok || got.AskedBody != "" && got.AskedBody != string(textOf(p.request.plain, whole)) {
		set("asked.json", got.AskedBody)
	}
	set("events.jsonl", got.Events)
}

// checkAlways checks what holds for every exchange that weir enforces.
func (p *play) checkAlways(t *testing.T) {
	t.Helper()
	if p.reply.header.Get("X-Weir-Request-Id") == "" {
		t.Errorf("%s: the response has no request id", p)
	}
	if err := p.record.delivered(p.reply.legible()); err != nil {
		t.Errorf("%s: %v", p, err)
	}
	if err := p.keptSecret(); err != nil {
		t.Errorf("%s: %v", p, err)
	}
	if p.reply.broken || p.reply.status != 200 || strings.Contains(p.inForce("weir.yaml"), "enforcement: observe") {
		return
	}
	message, err := fold.Fold(p.reply.body, p.reply.form())
	if p.leftSo(err) {
		return
	}
	if err == nil && message != nil {
		err = message.Check()
	}
	if err != nil {
		t.Errorf("%s: a client would not accept the response: %v", p, err)
	}
}

// leftSo says whether the trouble with what the client got is the upstream's: what came was not complete.
func (p *play) leftSo(err error) bool {
	for _, trouble := range []error{fold.ErrUnfinished, fold.ErrMarked, fold.ErrUncreated, fold.ErrUnlike} {
		if errors.Is(err, trouble) {
			if _, sent := fold.Fold(p.sent(), p.form); errors.Is(sent, trouble) {
				return true
			}
		}
	}
	return false
}

// readAs is the form in which a client reads its reply: the one that it asked for, where the reply does not tell.
func (p *play) readAs() form {
	if f := p.reply.form(); f != plain {
		return f
	}
	return p.form
}

// checkAlike checks that an answer comes to the same in all its forms: as it was sent, but for streams that clients read
// differently, and as the client got it.
func checkAlike(t *testing.T, plays []*play) {
	t.Helper()
	var sent, got []reading
	for _, p := range plays {
		if m, err := fold.Fold(p.sent(), p.form); err == nil && m != nil {
			sent = append(sent, reading{p.form, m.JSON})
		}
		m, err := fold.Fold(p.reply.body, p.readAs())
		if err != nil && !p.leftSo(err) {
			t.Fatalf("%s is no message that can be compared: %v", p, err)
		}
		if err == nil && m != nil {
			got = append(got, reading{p.form, m.JSON})
		}
	}
	if len(got) > 0 && len(got) < len(plays) {
		t.Errorf("%d of the answers in %d forms are messages", len(got), len(plays))
	}
	compareAll(t, "upstream", sent)
	compareAll(t, "client", got)
}

// A reading is the message that was read in one form.
type reading struct {
	form form
	text jsontext.Value
}

// compareAll compares every reading with the first.
func compareAll(t *testing.T, whose string, list []reading) {
	t.Helper()
	for i, r := range list {
		if diff := fold.Difference(list[0].text, r.text); i > 0 && diff != "" {
			t.Errorf("%[1]s.%[2]s and %[1]s.%[3]s are not the same message (-%[2]s +%[3]s):\n%[4]s", whose, list[0].form, r.form, diff)
		}
	}
}
