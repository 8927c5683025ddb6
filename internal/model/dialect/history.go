package dialect

import "github.com/go-json-experiment/json/jsontext"

// A History goes through the conversation of a request. It holds the calls of earlier turns, so that results can be told which of
// them they answer. The zero History is empty and ready to use.
type History struct {
	results []Result
	old     int // how many of them have a turn of the model after them
	calls   []pastCall
	turn    int
	// said says that something other than the model spoke last.
	said   bool
	byID   map[string]int
	byName map[string]*waiting
}

type pastCall struct {
	tool     string
	args     jsontext.Value
	answered bool
}

// waiting are the calls of one name that may lack an answer. Those of the newest turn are answered first, in their order; those
// of the turns before were given up, as far as one can tell.
type waiting struct {
	turn  int
	calls []int
	older [][]int // newest last
}

// anyName is the name under which all calls wait: that of results which have none.
const anyName = ""

// Asked takes a call that the model made. The id may be "".
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

// Turn is told that the model spoke: the results so far are old.
func (h *History) Turn() { h.old = len(h.results) }

// Gave takes a result. What it does not say of its call, the call says: the tool, and the arguments where there are no ids.
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

// Add takes a result that says all of its call.
func (h *History) Add(r Result) { h.results = append(h.results, r) }

// Results are the results in the order of the conversation.
func (h *History) Results() []Result {
	for i := h.old; i < len(h.results); i++ {
		h.results[i].New = true
	}
	return h.results
}

// Said is told that someone other than the model spoke.
func (h *History) Said() { h.said = true }

// Answered finds the call that a result answers: by its id, else by its tool and order. Both may be "". The tool is "" if
// there is no such call.
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
