package strictjson

import "bytes"

// nodeCost is about what a value takes on a tape that grows.
const nodeCost = 32

// Cost is about how much memory the tape of a document takes. It may be more than that, where a text is full of what JSON is written
// with, but is not less. A document that is too large for a tape costs what the largest tape does.
func Cost(data []byte) int {
	nodes := 1
	for _, c := range []byte{',', ':', '[', '{'} {
		nodes += bytes.Count(data, []byte{c})
	}
	return nodeCost * min(nodes, 2*defaultValues)
}
