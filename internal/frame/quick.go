package frame

import "bytes"

// quickSize is how many bytes quickFrame looks at. So a failure costs little, however large the window is.
const quickSize = 4 << 10

var (
	eventField = []byte("event: ")
	dataField  = []byte("data: ")
)

// quickFrame returns the frame at the start of w if it is a short and plain event in the given style, as nearly all frames are. A
// block would find the same frame: quickFrame is only faster.
func quickFrame(w []byte, style lineEnd) (Frame, bool) {
	w = w[:min(len(w), quickSize)]
	end := plainEnds[style]
	if end == nil {
		return Frame{}, false
	}
	var name []byte
	at := 0
	if bytes.HasPrefix(w, eventField) {
		var ok bool
		if name, ok = quickValue(w, len(eventField), end); !ok || !isName(name) {
			return Frame{}, false
		}
		at = len(eventField) + len(name) + len(end)
	}
	if !bytes.HasPrefix(w[at:], dataField) {
		return Frame{}, false
	}
	at += len(dataField)
	data, ok := quickValue(w, at, end)
	if !ok || len(data) == 0 {
		return Frame{}, false
	}
	n := at + len(data) + len(end)
	// Text that all clients read alike has no CR in it, so no client sees other lines.
	if !bytes.HasPrefix(w[n:], end) || !readAlike(data) {
		return Frame{}, false
	}
	n += len(end)
	return Frame{Raw: w[:n:n], Type: name, Data: data, Plain: true}, true
}

// quickValue returns the bytes of w from at up to the line end, if the line ends with end.
func quickValue(w []byte, at int, end []byte) ([]byte, bool) {
	n := bytes.IndexByte(w[at:], '\n') + 1 - len(end)
	if n < 0 || !bytes.HasPrefix(w[at+n:], end) {
		return nil, false
	}
	return w[at : at+n : at+n], true
}
