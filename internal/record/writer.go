package record

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// A writer writes JSON by hand, without reflection and without allocation beyond its text. It writes what package json writes for the
// same struct: names in order, no white space, strings with the fewest escapes and with replacement characters for invalid UTF-8.
type writer struct {
	b   []byte
	err error // the first
}

// name begins a member of the object that is open.
func (w *writer) name(name string) {
	if last := w.b[len(w.b)-1]; last != '{' {
		w.b = append(w.b, ',')
	}
	w.b = append(append(append(w.b, '"'), name...), '"', ':')
}

// item begins an element of the array that is open.
func (w *writer) item() {
	if last := w.b[len(w.b)-1]; last != '[' {
		w.b = append(w.b, ',')
	}
}

func (w *writer) open(sign byte)  { w.b = append(w.b, sign) }
func (w *writer) close(sign byte) { w.b = append(w.b, sign) }

// quote writes a string. That it has invalid UTF-8, which is replaced, is no error here: a record with replacement characters is
// better than none.
func (w *writer) quote(s string) { w.b, _ = jsontext.AppendQuote(w.b, s) }

// text writes a member that is left out if it is empty.
func (w *writer) text(name, s string) {
	if s != "" {
		w.always(name, s)
	}
}

// always writes a member also if it is empty.
func (w *writer) always(name, s string) {
	w.name(name)
	w.quote(s)
}

// flag writes a member that is left out if it is false.
func (w *writer) flag(name string, set bool) {
	if set {
		w.bool(name, true)
	}
}

func (w *writer) bool(name string, set bool) {
	w.name(name)
	w.b = strconv.AppendBool(w.b, set)
}

// number writes a member that is left out if it is zero.
func (w *writer) number(name string, n int64) {
	if n != 0 {
		w.int(name, n)
	}
}

func (w *writer) int(name string, n int64) {
	w.name(name)
	w.b = strconv.AppendInt(w.b, n, 10)
}

func (w *writer) time(name string, t time.Time) {
	w.name(name)
	w.b = append(w.b, '"')
	b, err := t.AppendText(w.b)
	if err != nil {
		w.fail(err)
		return
	}
	w.b = append(b, '"')
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// texts writes a list that is left out if it is empty.
func texts[S ~string](w *writer, name string, list []S) {
	if len(list) == 0 {
		return
	}
	w.name(name)
	w.open('[')
	for _, s := range list {
		w.item()
		w.quote(string(s))
	}
	w.close(']')
}

// objects writes a list of objects that is left out if it is empty. write has the members of one.
func objects[T any](w *writer, name string, list []T, write func(*writer, T)) {
	if len(list) == 0 {
		return
	}
	w.name(name)
	w.open('[')
	for _, item := range list {
		w.item()
		w.open('{')
		write(w, item)
		w.close('}')
	}
	w.close(']')
}
