package excerpt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
	"github.com/weir-gate/weir/internal/text/inert"
)

// A wanted is the flag of a filter: a value, or with ! before it what is left out. The flag may be given more than once to leave out
// several. A value that begins with ! itself is written with a backslash before it.
type wanted struct {
	value  string
	not    []string
	unless string // the value if the flag is not given
}

// String implements pflag.Value.
func (w *wanted) String() string {
	for _, n := range w.not {
		return "!" + n
	}
	return w.wants()
}

// wants is the value; "": any.
func (w *wanted) wants() string {
	if w.value == "" && len(w.not) == 0 {
		return w.unless
	}
	return w.value
}

// Type implements pflag.Value. The value is a text, so that an empty one is refused.
func (w *wanted) Type() string { return "string" }

// Set implements pflag.Value.
func (w *wanted) Set(text string) error {
	if name, ok := strings.CutPrefix(text, "!"); ok {
		if name == "" {
			return fmt.Errorf("there is nothing after !; give what to leave out, as in '!Bash'")
		}
		w.not = append(w.not, name)
		return nil
	}
	if bare := strings.TrimLeft(text, `\`); len(bare) < len(text) && strings.HasPrefix(bare, "!") {
		text = text[1:]
	}
	w.value = text
	return nil
}

// all are the value and what is left out.
func (w *wanted) all() []string {
	if v := w.wants(); v != "" {
		return append([]string{v}, w.not...)
	}
	return w.not
}

// A field is a member of a filter that a flag sets.
type field struct {
	name, usage string
	of          func(*query.Filter) *string
	flag        wanted
}

// fill puts the values of the flags into a filter.
func fill(f *query.Filter, fields []*field) {
	f.Not = nil
	for _, d := range fields {
		*d.of(f) = d.flag.wants()
		for _, name := range d.flag.not {
			var n query.Filter
			*d.of(&n) = name
			f.Not = append(f.Not, n)
		}
	}
}

// notType leaves out types of events.
func notType(f *query.Filter, names []string) error {
	for _, name := range names {
		t, err := EventType(name)
		if err != nil {
			return err
		}
		if t == "" {
			return fmt.Errorf("--type: !%s leaves nothing", name)
		}
		f.Not = append(f.Not, query.Filter{Types: []record.Type{t}})
	}
	return nil
}

// Typed changes a filter by what a person typed: words such as tool=Bash or employee=!ann, named like the flags, or a part of the name of
// a tool.
func (s *Selection) Typed(f query.Filter, text string) (query.Filter, error) {
	typed := Selection{fields: fields()}
	for _, word := range strings.Fields(text) {
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			not := ""
			if strings.HasPrefix(word, "!") {
				not, word = "!", word[1:]
			}
			name, value = "tool", not+"*"+word+"*"
		}
		i := slices.IndexFunc(typed.fields, func(d *field) bool { return d.name == name })
		if i < 0 || value == "" {
			return f, fmt.Errorf("%s is no filter; type tool=Bash, session=…, employee=!ann or a part of a tool's name", inert.Name(word, 40))
		}
		if err := typed.fields[i].flag.Set(value); err != nil {
			return f, err
		}
	}
	if err := typed.checkWords(); err != nil {
		return f, err
	}
	f.Not = slices.Clone(f.Not)
	for _, d := range typed.fields {
		if v := d.flag.wants(); v != "" {
			*d.of(&f) = v
		}
		for _, name := range d.flag.not {
			var n query.Filter
			*d.of(&n) = name
			f.Not = append(f.Not, n)
		}
	}
	return f, nil
}
