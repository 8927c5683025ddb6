package show

import (
	"cmp"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/record"
)

// Columns are what every list says of an event beside what happened. A column of which nothing is known is "".
type Columns struct {
	ID      string // of the call
	Who     string // on whose behalf it was
	Session string
	Model   string // or the upstream, if the model is not known
	Ruling  string // in one word
}

// ColumnsOf are the columns of an event, safe to print.
func ColumnsOf(e record.Event) Columns {
	return Columns{
		ID:      nameIf(string(e.CallID)),
		Who:     nameIf(cmp.Or(e.Actor.Employee, e.Actor.Key)),
		Session: nameIf(e.Actor.Session),
		Model:   nameIf(cmp.Or(e.Exchange.Model, e.Exchange.Provider)),
		Ruling:  outcome(e),
	}
}

// The ids that weir gives to calls begin with idPrefix. Then comes the time in milliseconds, in ten characters, and chance.
const (
	idPrefix = "call_"
	idLength = 24
	shortID  = 12
)

// ShortID is the beginning of a call's id, which is enough to name it. Ids that weir did not give stay whole.
func ShortID(id string) string {
	rest, own := strings.CutPrefix(id, idPrefix)
	if !own || len(rest) != idLength || strings.Trim(rest, "0123456789abcdefghijklmnopqrstuv") != "" {
		return id
	}
	return rest[:shortID]
}

// LongTime is a time with its zone, which nobody can misread.
func (s Style) LongTime(t time.Time) string { return s.when(t) }
