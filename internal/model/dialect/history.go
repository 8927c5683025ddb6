package dialect

import "github.com/go-json-experiment/json/jsontext"

// A History collects the calls and results in the conversation of a request, and finds the call that a result belongs to. The zero
// History is empty and ready to use.
type History struct {
	results []Result
	old     int // how many results have a turn of the model after them
	calls   []pastCall
	turn    int
	// said says that the last message was not from the model.
	said   bool
	byID   map[string]int
	byName map[string]*waiting
}

type pastCall struct {
	tool     string
	args     jsontext.Value
	answered bool
}

// waiting are the calls of one name that may lack a result. Results go first to the calls of the newest turn, in their order; the
// calls of earlier turns were probably given up.
type waiting struct {
	turn  int
	calls []int
	older [][]int // newest last
}

// anyName is the name under which all calls wait, for results without a name.
const anyName = ""

// Asked adds a call that the model made. The id may be "".
func (h *History) Asked(id, tool string, args jsontext.Value) {
	if h.byName == nil {
		h.byID, h.byName = map[string]int{}, map[string]*waiting{}
	}
	if h.said {
		h.turn, h.said = h.turn+1, false
	}
	i := len(h.calls)
	h.calls = append(h.calls, pastCall{tool: tool, args: args})
	if id != "" {
		h.byID[id] = i
	}
	h.wait(anyName, i)
	if tool != anyName {
		h.wait(tool, i)
	}
}

func (h *History) wait(name string, i int) {
	w := h.byName[name]
	if w == nil {
		w = &waiting{turn: h.turn}
		h.byName[name] = w
	}
	if w.turn != h.turn {
		w.turn, w.older, w.calls = h.turn, append(w.older, w.calls), nil
	}
	w.calls = append(w.calls, i)
}

// Turn notes a message of the model: the results so far are old.
func (h *History) Turn() { h.old = len(h.results) }

// Gave adds a result. It takes the tool, if the result does not name it, and the arguments, if there are no ids, from the call.
func (h *History) Gave(r Result) {
	tool, args := h.Answered(r.WireID, r.Tool)
	if r.WireID == "" {
		r.Args = args
	}
	if r.Tool == "" {
		r.Tool = tool
	}
	h.Add(r)
}

// Add adds a result that has everything about its call.
func (h *History) Add(r Result) { h.results = append(h.results, r) }

// Results returns the results in the order of the conversation.
func (h *History) Results() []Result {
	for i := h.old; i < len(h.results); i++ {
		h.results[i].New = true
	}
	return h.results
}

// Said notes a message that is not from the model.
func (h *History) Said() { h.said = true }

// Answered finds the call that a result belongs to: by its id, else by its tool and order. Both may be "". The name is "" if there
// is no such call.
func (h *History) Answered(id, tool string) (name string, args jsontext.Value) {
	if i, ok := h.byID[id]; ok && id != "" {
		h.calls[i].answered = true
		return h.calls[i].tool, h.calls[i].args
	}
	w := h.byName[tool]
	for w != nil {
		for len(w.calls) > 0 {
			c := &h.calls[w.calls[0]]
			w.calls = w.calls[1:]
			if !c.answered {
				c.answered = true
				return c.tool, c.args
			}
		}
		last := len(w.older) - 1
		if last < 0 {
			break
		}
		w.calls, w.older = w.older[last], w.older[:last]
	}
	return "", nil
}
