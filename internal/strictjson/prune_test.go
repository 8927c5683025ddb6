package strictjson

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// drop marks the string "x" to go, and the string "y" to be replaced.
func drop(v Value) ([]byte, bool) {
	switch {
	case v.Is("x"):
		return nil, true
	case v.Is("y"):
		return []byte(`{"new":1}`), true
	}
	return nil, false
}

func TestPrune(t *testing.T) {
	for in, want := range map[string]string{
		`{}`:                                `{}`,
		`[]`:                                `[]`,
		`"x"`:                               `"x"`, // the root stays
		`["x"]`:                             `[]`,
		`{"a":"x"}`:                         `{}`,
		`{"a":"x","b":1}`:                   `{"b":1}`,
		`{"b":1,"a":"x"}`:                   `{"b":1}`,
		`{"b":1, "a":"x" , "c":2}`:          `{"b":1, "c":2}`,
		`[1, "x", 2, "x", "x", 3]`:          `[1, 2, 3]`,
		`["x", "x", 1]`:                     `[1]`,
		`[1, "x", "x" ]`:                    `[1 ]`,
		`{"a":["x"],"b":[[],["x"],{}]}`:     `{"b":[[],{}]}`,
		`{"a":{"b":{"c":["x","x"]}},"d":1}`: `{"d":1}`,
		`{"a":{"b":["x"],"c":[]}}`:          `{"a":{"c":[]}}`,
		`{"a":"y"}`:                         `{"a":{"new":1}}`,
		`["x","y",["x","y"]]`:               `[{"new":1},[{"new":1}]]`,
		`{"x":"x","y":"z"}`:                 `{"y":"z"}`, // names are not values
	} {
		var doc Doc
		if err := doc.Parse([]byte(in)); err != nil {
			t.Fatal(err)
		}
		if got := Splice([]byte(in), doc.Root().Prune(drop)...); string(got) != want {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
}

// What is left of a random document is JSON, and nothing that was to go is in it.
func TestPruneRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var write func(b *bytes.Buffer, depth int)
	write = func(b *bytes.Buffer, depth int) {
		n := r.IntN(4)
		switch kind := r.IntN(6); {
		case depth > 4 || kind < 3:
			b.WriteString([]string{`"x"`, `"y"`, `"z"`, `1`}[r.IntN(4)])
		case kind == 3:
			b.WriteString("[")
			for i := range n {
				if i > 0 {
					b.WriteString(" , ")
				}
				write(b, depth+1)
			}
			b.WriteString("]")
		default:
			b.WriteString("{")
			for i := range n {
				if i > 0 {
					b.WriteString(", ")
				}
				b.WriteString(`"` + string(rune('a'+i)) + `": `)
				write(b, depth+1)
			}
			b.WriteString("}")
		}
	}
	for range 2000 {
		var b bytes.Buffer
		b.WriteString(`{"root":`)
		write(&b, 0)
		b.WriteString("}")
		var doc Doc
		if err := doc.Parse(b.Bytes()); err != nil {
			t.Fatal(err)
		}
		got := Splice(b.Bytes(), doc.Root().Prune(drop)...)
		if !jsontext.Value(got).IsValid() || bytes.Contains(got, []byte(`"x"`)) || bytes.Contains(got, []byte(`"y"`)) {
			t.Fatalf("%s becomes %s", b.Bytes(), got)
		}
		if doc.Parse(got) != nil || len(doc.Root().Prune(drop)) > 0 {
			t.Fatalf("%s is not all there is to take out of %s", got, b.Bytes())
		}
	}
}
