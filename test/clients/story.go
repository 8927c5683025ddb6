package clients

import (
	"fmt"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/program"
)

// A Story is acts of one conversation, between which weir is restarted. Each client that it is told to has a weir of its
// own, whose store stays, and the model remembers all acts.
type Story[T Turn] struct {
	Name  string
	Door  string // the name of the settings that its weir has
	For   func(Kind) bool
	Model Model
	Acts  []Act[T]
}

// An Act is what happens between two restarts.
type Act[T Turn] struct {
	Policy  string // in force from here on, as YAML; "": that of the suite
	Options Options
	Want    func(Kind) Outcome[T]
}

// tellAll tells one client the stories that can be told to its kind.
func (tr *troupe[T]) tellAll(t *testing.T, k Kind, a *actor) {
	for _, s := range tr.suite.Stories {
		if s.For == nil || s.For(k) {
			t.Run(s.Name, func(t *testing.T) { tr.tell(t, k, a, s) })
		}
	}
}

func (tr *troupe[T]) tell(t *testing.T, k Kind, a *actor, s Story[T]) {
	st := tr.model.open(k.Name+"/"+s.Name, &stage{kind: k, model: s.Model})
	in := program.In(t.TempDir(), tr.binary)
	var played []performance[T]
	for i, act := range s.Acts {
		policy := act.Policy
		if policy == "" {
			policy = tr.suite.Policy
		}
		weir := in.Serve(t, fmt.Sprintf(tr.suite.Settings[s.Door], tr.model.URL())+policy)
		scene := Scene[T]{Name: fmt.Sprintf("act %d", i), Door: s.Door, Options: act.Options, Want: act.Want}
		j := tr.suite.job(k, scene, weir.Base, k.Name+"/"+s.Name)
		if i > 0 {
			j.State = played[i-1].result.State
		}
		before := len(st.asked())
		p := performance[T]{tr.suite, k, scene, do[T](t, a.client(), j, st.progress)}
		played = append(played, p)
		t.Run(scene.Name, func(t *testing.T) { p.check(t, st.asked()[before:]) })
		weir.Stop(t)
	}
	record := recordOf(t, in)
	for i, p := range played {
		t.Run(fmt.Sprintf("record of act %d", i), func(t *testing.T) { p.checkRecord(t, record) })
	}
}
