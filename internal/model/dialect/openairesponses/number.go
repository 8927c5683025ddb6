package openairesponses

import (
	"bytes"
	"strconv"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/strictjson"
)

// maxNumber is the largest sequence_number that is handled.
const maxNumber = 1 << 53

// numberOf returns the sequence_number of f; nil: the upstream gives none.
func numberOf(d *editor, f frame.Frame) []byte {
	if d.Doc.Parse(f.Data) != nil {
		return nil
	}
	if v, err := d.Doc.Root().Member(numberMember); err == nil && v.Kind() == strictjson.Number {
		return bytes.Clone(v.Raw())
	}
	return nil
}

// numberMember is the member with a frame's number.
const numberMember = "sequence_number"

// nextNumber returns a number after all that the upstream has used.
func (d *editor) nextNumber() []byte {
	d.seq++
	return strconv.AppendInt(nil, d.seq, 10)
}

// number gives each of the frames that replace f its own number. The upstream's numbers stay as far as possible: a client that
// resumes later names one. If more frames are sent than came in, the frames after them get new numbers, until as many have been
// left out.
func (d *editor) number(f frame.Frame) {
	n, err := strconv.ParseInt(string(numberOf(d, f)), 10, 64)
	if err != nil || n < 0 || n > maxNumber || d.Options.Whole {
		return
	}
	if next := d.renumber(max(n, d.sent.free)); next > n+1 {
		d.sent.free = max(d.sent.free, next)
	}
}

// renumber numbers the frames in Out, from first on, and returns the number after them.
func (d *editor) renumber(first int64) (next int64) {
	for i, f := range d.Out {
		old := numberOf(d, f)
		if old == nil {
			continue
		}
		now := strconv.AppendInt(nil, first, 10)
		first++
		if bytes.Equal(old, now) {
			continue
		}
		if edit, err := d.Doc.Root().SetMember(numberMember, now); err == nil {
			d.Out[i] = frame.Frame{Type: f.Type, Data: strictjson.Splice(f.Data, edit)}
		}
	}
	return first
}

// keepsNumber says whether a frame can be sent with its own number.
func (d *editor) keepsNumber(root strictjson.Value) bool {
	if d.sent.free == 0 {
		return true
	}
	v, err := root.Member(numberMember)
	if err != nil || v.Kind() == strictjson.Missing {
		return err == nil
	}
	n, ok := v.Int64()
	return ok && n >= d.sent.free
}
