package dialect

import "github.com/weir-gate/weir/internal/strictjson"

// A Lookup reads members of a request on the way to its tools and results. The first failure stays in Err, and from then on nothing
// is found. So the code that reads a request can look at Err once, at its end. The zero Lookup is ready to use.
type Lookup struct{ Err error }

// Fail notes a failure, unless there is one.
func (l *Lookup) Fail(err error) {
	if l.Err == nil {
		l.Err = err
	}
}

// Member is a member. It is missing where it is null.
func (l *Lookup) Member(v strictjson.Value, name string) strictjson.Value {
	m := l.Exact(v, name)
	if m.Kind() == strictjson.Null {
		return strictjson.Value{}
	}
	return m
}

// Exact is a member as it stands.
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

// Text is a member that names a tool or its kind; "" if it is not there.
func (l *Lookup) Text(v strictjson.Value, name string) string { return l.Name(l.Member(v, name)) }

// Name is a value that names a tool or its kind; "" if it is missing.
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

// RequiredText is a member that names a tool or a server and must be there.
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

// List is a member that is an array where it is there at all.
func (l *Lookup) List(v strictjson.Value, name string) strictjson.Value {
	m := l.Member(v, name)
	if k := m.Kind(); k != strictjson.Array && k != strictjson.Missing {
		l.Fail(ErrUnreadable)
		return strictjson.Value{}
	}
	return m
}

// Object says whether a value is an object. It is a failure if it is not.
func (l *Lookup) Object(v strictjson.Value) bool {
	if v.Kind() != strictjson.Object {
		l.Fail(ErrUnreadable)
	}
	return l.Err == nil
}
