package weirtest

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/weirtest/port"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// A play is one exchange as it was played in a run.
type play struct {
	*exchange
	form    form
	piece   int // bytes that the upstream sends at once; 0: all
	request request
	reply   reply
	asked   []scripted.Request
	record  *written
	log     string // what weir had logged when the run was over
}

func (p *play) String() string {
	text := p.name("upstream." + string(p.form))
	if p.piece > 0 {
		text += fmt.Sprintf(" in pieces of %d", p.piece)
	}
	return text
}

// A run plays the exchanges of a scenario one after the other, against one weir. A scenario with one exchange and nothing beside it is
// one run: its forms meet the same weir, which must treat each as it treats the first.
type run struct {
	plays    []*play
	upstream *scripted.Upstream
	answer   atomic.Pointer[scripted.Answer] // to the next request
	weir     *weir
}

// maxPieces bounds the size of streams that are also sent byte by byte.
const maxPieces = 16 << 10

// runs are those of a scenario: each form as it is, and those that grow also byte by byte, which must not matter.
func (s *scenario) runs() []*run {
	var list []*run
	for _, f := range s.forms() {
		list = append(list, s.run(f, 0))
		if f.Grows() && s.divisible(f) {
			list = append(list, s.run(f, 1))
		}
	}
	if s.repeatable() {
		return joined(list)
	}
	return list
}

// repeatable says whether one weir can play all forms of a scenario: nothing happens to weir, or to the upstream, while it does.
func (s *scenario) repeatable() bool {
	return len(s.exchanges) == 1 && s.exchanges[0].script == script{}
}

// joined is one run with the plays of all.
func joined(list []*run) []*run {
	all := &run{}
	for _, r := range list {
		all.plays = append(all.plays, r.plays...)
	}
	return []*run{all}
}

func (s *scenario) run(f form, piece int) *run {
	r := &run{}
	for _, x := range s.exchanges {
		r.plays = append(r.plays, &play{exchange: x, form: x.formIn(f), piece: piece})
	}
	return r
}

// divisible says whether the answers of a scenario may be sent byte by byte in a form.
func (s *scenario) divisible(f form) bool {
	for _, x := range s.exchanges {
		if x.script.abort || len(bodyOf([]byte(x.text("upstream."+string(f), none)), f)) > maxPieces {
			return false
		}
	}
	return true
}

// perform plays a run.
func (r *run) perform(t *testing.T) (err error) {
	r.upstream, err = scripted.New(scripted.Config{
		Answer: func(scripted.Request) scripted.Answer { return *r.answer.Load() },
		Addr:   port.Reserve(t), // nobody else is there when it is down
	})
	if err != nil {
		return err
	}
	defer r.upstream.Close() // all its answers were read
	r.weir = newWeir(t, r.upstream.URL())
	if err := r.weir.start(t.Context(), r.plays[0].exchange); err != nil {
		return err
	}
	for _, p := range r.plays {
		if err == nil {
			err = r.play(t, p)
		}
	}
	if err = errors.Join(err, r.weir.end()); err != nil {
		return err
	}
	entries, err := r.weir.entries(t.Context())
	if err != nil {
		return err
	}
	return r.attach(entries)
}

// play plays one exchange.
func (r *run) play(t *testing.T, p *play) error {
	if err := r.prepare(t, p); err != nil {
		return err
	}
	answer, err := p.answer(p.form, p.piece)
	if err != nil {
		return err
	}
	r.answer.Store(&answer)
	before := len(r.upstream.Requests())
	if p.request, err = p.exchange.request(p.form, r.bodies()); err == nil {
		p.reply, err = p.request.send(r.weir.address)
	}
	p.asked = r.upstream.Requests()[before:]
	return err
}

// bodies are what the agent has got so far.
func (r *run) bodies() [][]byte {
	var list [][]byte
	for _, p := range r.plays {
		list = append(list, p.reply.body)
	}
	return list
}

// prepare does what happens before an exchange.
func (r *run) prepare(t *testing.T, p *play) (err error) {
	switch {
	case p.script.restart:
		if err = r.weir.end(); err == nil {
			err = r.weir.start(t.Context(), p.exchange)
		}
	case p.number > 1 && p.has("policy.yaml"):
		err = r.weir.reload(p.exchange)
	}
	if p.script.loseStore && err == nil {
		err = r.weir.loseStore()
	}
	if p.script.noAnswer && err == nil {
		err = r.upstream.Close()
	}
	return err
}

// attach gives each play what was recorded of it.
func (r *run) attach(entries []record.Entry) error {
	var ids []string
	for _, p := range r.plays {
		ids = append(ids, p.reply.header.Get("X-Weir-Request-Id"))
	}
	records, err := recordsOf(entries, ids)
	if err != nil {
		return err
	}
	for i, p := range r.plays {
		p.record, p.log = records[ids[i]], r.weir.log.String()
		p.reply.body, p.request.plain = p.reply.withoutChance(), withoutChance(p.request.plain)
	}
	return nil
}
