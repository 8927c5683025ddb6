package strictjson

import "bytes"

// nodeCost is about how many bytes a value takes on a growing tape.
const nodeCost = 32

// Cost estimates how much memory the tape of a document takes. It may be too high, if strings have many of the characters of JSON's
// syntax, but is never too low. A document that is too large for a tape costs as much as the largest tape.
func Cost(data []byte) int {
	nodes := 1
	for _, c := range []byte{',', ':', '[', '{'} {
		nodes += bytes.Count(data, []byte{c})
	}
	return nodeCost * min(nodes, 2*defaultValues)
}
