package clients

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// A Message is one of a conversation that a client sends, in the words of no format.
type Message struct {
	Role  string // user, assistant; tool: it has only results, and others may follow
	Items []Item
}

// An Item is a part of a message.
type Item struct {
	Kind     ItemKind
	Type     string // of a call, or of another item, in the words of its format
	ID, Name string // a result has those of its call, or one of them
	Args     string // in JSON; "" where the model says none
	Extra    string // what must come back with it, such as a signature, in JSON; "": nothing
}

// An ItemKind says what an item is.
type ItemKind int

// The kinds of items. Others are, like calls, the model's own, but need no result.
const (
	TextItem ItemKind = iota
	CallItem
	ResultItem
	OtherItem
)

// Rules are what formats differ in when they check a conversation.
type Rules struct {
	Alternate bool // user and assistant take turns
	Joined    bool // messages of the assistant that follow each other are one turn
	Ordered   bool // results are in the order of the calls
	Ahead     bool // results are ahead of everything else in a message
	MadeUp    bool // clients may make up ids for calls that have none
	LeftOut   bool // clients may leave out ids of calls
	Leads     bool // if the model signs calls, the first of a turn must be signed
}

// A conversation is one that is being checked.
type conversation struct {
	Rules
	said []Item // what the model said but its texts
	role string // of the message before
	open []Item // calls without result
}

// Check says what an API would object to in a conversation, and what is not as the model said it.
func (r Rules) Check(messages []Message, said []Item) error {
	c := conversation{Rules: r, said: said}
	for i, m := range messages {
		if err := c.next(m); err != nil {
			return fmt.Errorf("message %d: %w: %+v", i, err, m)
		}
	}
	switch {
	case c.role == "":
		return errors.New("there must be a message")
	case c.role == "assistant":
		return errors.New("the last message must not be the assistant's")
	case len(c.open) > 0:
		return errors.New("a call has no result")
	}
	return nil
}

func (c *conversation) next(m Message) error {
	before := c.role
	c.role = m.Role
	switch {
	case m.Role != "user" && m.Role != "assistant" && m.Role != "tool":
		return errors.New("unknown role")
	case c.Alternate && (m.Role == "user") == (before == "user"):
		return errors.New("roles must alternate")
	case len(m.Items) == 0:
		return errors.New("it says nothing")
	case m.Role != "assistant":
		return c.user(m)
	case len(c.open) > 0 && !(c.Joined && before == "assistant"):
		return errors.New("a call before it has no result")
	}
	for i, it := range m.Items {
		if err := c.assistant(it, m.Items[:i]); err != nil {
			return fmt.Errorf("item %d: %w", i, err)
		}
	}
	return nil
}

// assistant wants all but texts to be as the model said it, and once.
func (c *conversation) assistant(it Item, before []Item) error {
	switch {
	case it.Kind == TextItem:
		return nil
	case it.ID != "" && slices.ContainsFunc(before, func(b Item) bool { return b.ID == it.ID }):
		return errors.New("it is there twice")
	case !slices.ContainsFunc(c.said, func(s Item) bool { return c.same(s, it) }):
		return errors.New("it is not as the model said it")
	case it.Kind != CallItem:
		return nil
	case c.Leads && len(c.open) == 0 && it.Extra == "" && slices.ContainsFunc(c.said, func(s Item) bool { return s.Extra != "" }):
		return errors.New("the first call has no signature")
	}
	c.open = append(c.open, it)
	return nil
}

func (r Rules) same(said, told Item) bool {
	if said.Args == "" {
		said.Args = "{}"
	}
	id := said.ID == told.ID || r.MadeUp && said.ID == "" || r.LeftOut && told.ID == ""
	return id && said.Kind == told.Kind && said.Type == told.Type && said.Name == told.Name &&
		SameJSON(said.Args, told.Args) && (said.Extra == "" || SameJSON(said.Extra, told.Extra))
}

// user wants a result for each call of the turn before, and for nothing else.
func (c *conversation) user(m Message) error {
	for i, it := range m.Items {
		if it.Kind == TextItem {
			continue
		}
		n := slices.IndexFunc(c.open, func(call Item) bool {
			return it.ID+it.Name != "" && (it.ID == "" || it.ID == call.ID) && (it.Name == "" || it.Name == call.Name)
		})
		switch {
		case it.Kind != ResultItem:
			return errors.New("only the model calls tools")
		case n < 0 || n > 0 && c.Ordered:
			return errors.New("a result must be of an open call")
		case c.Ahead && i > 0 && m.Items[i-1].Kind == TextItem:
			return errors.New("results must come first")
		}
		c.open = slices.Delete(c.open, n, n+1)
	}
	if m.Role == "user" && len(c.open) > 0 {
		return errors.New("a call before it has no result")
	}
	return nil
}

// A Teller is a message in the words of a format.
type Teller interface {
	// Told returns the message in the words of none, and says what the API would object to in it alone.
	Told() (Message, error)
}

// Told reads the messages of a request.
func Told[M Teller](messages []jsontext.Value) ([]Message, error) {
	list := make([]Message, len(messages))
	for i, raw := range messages {
		var m M
		err := json.Unmarshal(raw, &m)
		if err == nil {
			list[i], err = m.Told()
		}
		if err != nil {
			return nil, fmt.Errorf("message %d: %w: %s", i, err, raw)
		}
	}
	return list, nil
}

// CheckHistory says what an API would object to in the messages of a request, and what is not as the model said it.
func CheckHistory[M Teller](r Rules, messages []jsontext.Value, said []Item) error {
	list, err := Told[M](messages)
	if err != nil {
		return err
	}
	return r.Check(list, said)
}

// RunHistories wants a check to tell good conversations from bad ones. Their messages are in JSON.
func RunHistories(t *testing.T, check func(messages []jsontext.Value) error, good, bad map[string][]string) {
	run := func(list []string) error {
		messages := make([]jsontext.Value, len(list))
		for i, m := range list {
			messages[i] = jsontext.Value(m)
		}
		return check(messages)
	}
	for name, list := range good {
		expect.Is(t, run(list), nil, "%s", name)
	}
	for name, list := range bad {
		if run(list) == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
