package dialecttest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Mutate splits one of some streams and joins it wrongly. It replaces words by those of the vocabulary.
func Mutate(r *rand.Rand, streams [][]byte, vocabulary []string) []byte {
	blocks := takeApart(streams[r.IntN(len(streams))])
	for range 1 + r.IntN(4) {
		i, j := r.IntN(len(blocks)), r.IntN(len(blocks))
		switch r.IntN(8) {
		case 0:
			blocks[i], blocks[j] = blocks[j], blocks[i]
		case 1:
			blocks = slices.Insert(blocks, i, blocks[j])
		case 2:
			blocks = slices.Delete(blocks, i, i+1)
		case 3:
			other := takeApart(streams[r.IntN(len(streams))])
			blocks = slices.Insert(blocks, i, other[r.IntN(len(other))])
		default:
			blocks[i] = mutateBlock(r, blocks[i], vocabulary)
		}
		if len(blocks) == 0 {
			return nil
		}
	}
	return []byte(strings.Join(blocks, ""))
}

// takeApart splits a stream into its events, elements or lines.
func takeApart(stream []byte) []string {
	text := string(stream)
	for _, end := range []string{"\r\n\r\n", "\n\n", ",\r\n", "}\n"} {
		if strings.Contains(strings.TrimSpace(text), end) {
			return strings.SplitAfter(text, end)
		}
	}
	return []string{text}
}

// mutateBlock replaces a word of a block or a member's name, doubles a member, or puts something between two bytes.
func mutateBlock(r *rand.Rand, block string, vocabulary []string) string {
	word := vocabulary[r.IntN(len(vocabulary))]
	other := vocabulary[r.IntN(len(vocabulary))]
	at := r.IntN(len(block) + 1)
	switch r.IntN(5) {
	case 0:
		return strings.Replace(block, word, other, 1)
	case 1:
		return strings.Replace(block, `"`+word+`"`, `"`+other+`"`, 1)
	case 2:
		return strings.Replace(block, "{", fmt.Sprintf(`{"%s":"%s",`, word, other), 1+r.IntN(3))
	case 3:
		return strings.Replace(block, `"`+word+`":`, `"`+other+`":`, 1)
	}
	return block[:at] + word + block[at:]
}
