package dialect

import "github.com/weir-gate/weir/internal/strictjson"

// A Collector joins the arguments of a call, which arrive in pieces of text. The zero Collector is ready to use.
type Collector struct {
	// Text is the text so far. A character whose two halves came in two pieces is whole in it.
	Text []byte
	// Split says that there was such a character: clients read the halves differently.
	Split bool

	json  strictjson.Partial
	fed   int // bytes of Text that json has seen
	state strictjson.State
}

// Add adds a piece. It returns false if the text is then larger than limit bytes.
func (c *Collector) Add(piece strictjson.Value, limit int) bool {
	c.Text = piece.AppendText(c.Text)
	if len(c.Text) > limit {
		c.Text = c.Text[:limit]
		return false
	}
	end := len(c.Text)
	if endsInHighHalf(c.Text) {
		// The other half comes with the next piece, if at all.
		end -= halfLen
		c.Split = true
	}
	if c.fed < end {
		c.state = c.json.Write(c.Text[c.fed:end])
		c.fed = end
	}
	return true
}

// State says how much of one JSON object the text is.
func (c *Collector) State() strictjson.State {
	if c.state == strictjson.Complete && c.fed < len(c.Text) {
		return strictjson.Broken // half a character follows the object
	}
	return c.state
}

// Begun says whether a piece with text has arrived.
func (c *Collector) Begun() bool { return c.fed > 0 }

// halfLen is the length of a single half of a surrogate pair, as strictjson writes it.
const halfLen = 3

// endsInHighHalf says whether text ends in the first half of a surrogate pair.
func endsInHighHalf(text []byte) bool {
	if len(text) < halfLen {
		return false
	}
	tail := text[len(text)-halfLen:]
	return tail[0] == 0xED && 0xA0 <= tail[1] && tail[1] <= 0xAF
}
