package dialect

import "github.com/weir-gate/weir/internal/strictjson"

// A Lookup reads the members of a request that lead to its tools and results. The first failure stays in Err, and from then on
// nothing is found. So the code that parses a request can check Err once, at its end. The zero Lookup is ready to use.
type Lookup struct{ Err error }

// Fail notes a failure, unless there is one already.
func (l *Lookup) Fail(err error) {
	if l.Err == nil {
		l.Err = err
	}
}

// Member returns a member of v; null counts as missing.
func (l *Lookup) Member(v strictjson.Value, name string) strictjson.Value {
	m := l.Exact(v, name)
	if m.Kind() == strictjson.Null {
		return strictjson.Value{}
	}
	return m
}

// Exact returns a member of v, also if it is null.
func (l *Lookup) Exact(v strictjson.Value, name string) strictjson.Value {
	if l.Err != nil {
		return strictjson.Value{}
	}
	m, err := v.Member(name)
	if err != nil {
		l.Fail(ErrTwoReadings)
	}
	return m
}

// Text returns a member that names a tool or its kind; "" if it is missing.
func (l *Lookup) Text(v strictjson.Value, name string) string { return l.Name(l.Member(v, name)) }

// Name returns the text of a value that names a tool or its kind; "" if it is missing.
func (l *Lookup) Name(v strictjson.Value) string {
	text, ok := v.Text()
	if v.Kind() != strictjson.Missing && (!ok || len(text) > MaxName) {
		l.Fail(ErrUnreadable)
	}
	if l.Err != nil {
		return ""
	}
	return text
}

// RequiredText returns a member that names a tool or a server. If it is missing, that is a failure.
func (l *Lookup) RequiredText(v strictjson.Value, name string) string {
	text := ""
	if v.Kind() == strictjson.Object {
		text = l.Text(v, name)
	}
	if text == "" {
		l.Fail(ErrUnreadable)
	}
	return text
}

// List returns a member that must be an array or missing.
func (l *Lookup) List(v strictjson.Value, name string) strictjson.Value {
	m := l.Member(v, name)
	if k := m.Kind(); k != strictjson.Array && k != strictjson.Missing {
		l.Fail(ErrUnreadable)
		return strictjson.Value{}
	}
	return m
}

// Object says whether a value is an object. If it is not, that is a failure.
func (l *Lookup) Object(v strictjson.Value) bool {
	if v.Kind() != strictjson.Object {
		l.Fail(ErrUnreadable)
	}
	return l.Err == nil
}
