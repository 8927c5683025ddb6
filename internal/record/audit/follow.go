package audit

import "bytes"

// Follows returns the head that the entry's chain had just before it, as the text has it, and false if the entry was
// not sealed.
func (e Entry) Follows() (Head, bool) {
	// seal writes the previous hash last; hashes have no escapes.
	const member, end = `,"prev_hash":"`, `"}`
	at := bytes.LastIndex(e.Text, []byte(member))
	if at < 0 || e.Seq < 1 {
		return Head{}, false
	}
	hash, whole := bytes.CutSuffix(e.Text[at+len(member):], []byte(end))
	return Head{Chain: e.Chain, Seq: e.Seq - 1, Hash: string(hash)}, whole
}
