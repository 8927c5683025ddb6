package record

import (
	"bytes"
	"errors"
	"strconv"
)

// errNotSealed says that a text does not end with a link of a chain.
var errNotSealed = errors.New("the text of the event does not end with its position in a chain")

// LinkOf returns the position that a sealed text ends with: the chain and the number in it, without the hash. It reads only the end
// of the text.
func LinkOf(text []byte) (Head, error) {
	// seal writes these three members last; chain ids and hashes have no escapes, so no member before them can be taken for one.
	const chain, seq, prev = `,"chain":"`, `","seq":`, `,"prev_hash":"`
	at := bytes.LastIndex(text, []byte(chain))
	if at < 0 {
		return Head{}, errNotSealed
	}
	id, rest, found := bytes.Cut(text[at+len(chain):], []byte(seq))
	number, _, linked := bytes.Cut(rest, []byte(prev))
	n, err := strconv.ParseInt(string(number), 10, 64)
	if !found || !linked || err != nil || n < 1 {
		return Head{}, errNotSealed
	}
	return Head{Chain: string(id), Seq: n}, nil
}

// Sealed returns the entry with this text, as it was when it was sealed: its columns and its hash follow from the text. It has no
// effects.
func Sealed(text []byte) (Entry, error) {
	e := Entry{Text: text}
	t, err := e.Parse()
	if err != nil {
		return Entry{}, err
	}
	if t.Chain == "" || t.Seq < 1 {
		return Entry{}, errNotSealed
	}
	e.Columns = t.Columns()
	e.Hash = hashOf(text)
	return e, nil
}
