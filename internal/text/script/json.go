package script

import (
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxHoles bounds the unknown parts of partly known arguments.
const maxHoles = 100

// arguments is the strict JSON object that a tool gets for v. holes are the positions where null replaces a value that is not
// known, or a member that may be missing.
func arguments(v value) (args []byte, holes []string, ok bool) {
	switch v.kind {
	case undefined:
		return []byte("{}"), nil, true
	case text, anyString:
		v = value{kind: object, keys: []string{"input"}, items: []value{v}}
	case object:
		if v.convertsItself() {
			return nil, nil, false
		}
	default:
		return nil, nil, false
	}
	w := jsonWriter{}
	w.value(v)
	return w.out, w.holes, !w.failed && len(w.holes) <= maxHoles
}

// stringify is the result of JSON.stringify for a constant.
func stringify(v value) (json []byte, ok bool) {
	w := jsonWriter{}
	w.value(v)
	return w.out, !w.failed && len(w.holes) == 0
}

// convertsItself reports whether an object may have a method that JSON.stringify calls.
func (v value) convertsItself() bool {
	convert, has := v.member("toJSON")
	return has && convert.callable()
}

// A jsonWriter formats values as JSON.stringify does.
type jsonWriter struct {
	out    []byte
	path   []string
	holes  []string // JSON pointers
	failed bool     // the value nests too deep, or has a name that JSON cannot have
}

func (w *jsonWriter) value(v value) {
	switch v.kind {
	case null:
		w.out = append(w.out, "null"...)
	case boolean:
		w.out = strconv.AppendBool(w.out, v.truth)
	case number:
		if math.IsNaN(v.num) || math.IsInf(v.num, 0) {
			w.out = append(w.out, "null"...)
		} else {
			w.out = append(w.out, formatNumber(v.num)...)
		}
	case text:
		w.quote(v.str)
	case array:
		w.array(v)
	case object:
		if v.convertsItself() {
			w.hole()
		} else {
			w.object(v)
		}
	default:
		w.hole()
	}
}

// hole writes null for an unknown value and notes its position.
func (w *jsonWriter) hole() {
	var pointer strings.Builder
	for _, name := range w.path {
		pointer.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
	}
	w.holes = append(w.holes, pointer.String())
	w.failed = w.failed || len(w.holes) > maxHoles
	w.out = append(w.out, "null"...)
}

func (w *jsonWriter) quote(s string) {
	quoted, err := jsontext.AppendQuote(w.out, s)
	w.out, w.failed = quoted, w.failed || err != nil
}

// inside writes a part with its name.
func (w *jsonWriter) inside(name string, v value) {
	if len(w.path) == maxNesting {
		w.failed = true
	}
	if w.failed {
		return
	}
	w.path = append(w.path, name)
	w.value(v)
	w.path = w.path[:len(w.path)-1]
}

func (w *jsonWriter) array(v value) {
	w.out = append(w.out, '[')
	for i, item := range v.items {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if item.kind == undefined {
			item.kind = null
		}
		w.inside(strconv.Itoa(i), item)
	}
	w.out = append(w.out, ']')
}

func (w *jsonWriter) object(v value) {
	w.out = append(w.out, '{')
	first := true
	for i, item := range v.items {
		if item.kind == undefined {
			continue // left out, as by JSON.stringify
		}
		if !first {
			w.out = append(w.out, ',')
		}
		first = false
		w.quote(v.keys[i])
		w.out = append(w.out, ':')
		w.inside(v.keys[i], item)
	}
	w.out = append(w.out, '}')
}
