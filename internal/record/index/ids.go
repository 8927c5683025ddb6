package index

import (
	"slices"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// Events are found by the hashes of their ids, and by the hashes of the words of their arguments. A run has the hashes of some events
// in order, each with the event's offset, in parts by the first bits of the hash. A block has a run; so many blocks are merged into one,
// and those of a whole partition when it is full. A question reads one part of each run.

// A posting is a hash and an offset: 40 bits and 24 bits.
type posting uint64

const offsetBits = 24

// maxOffset is the highest offset that a posting can have.
const maxOffset = 1<<offsetBits - 1

func newPosting(hash uint64, offset int) posting {
	return posting(hash&^maxOffset | uint64(offset))
}

func (p posting) offset() int { return int(p & maxOffset) }

// The kinds of what is hashed.
const (
	kindCall = iota + 1
	kindWire
	kindRequest
	kindResponse
	kindWord
	kindManyWords // the event has more words than are hashed
	kindBegin     // the beginning of a call's id
)

// hashOf hashes an id or a word. Whoever chooses ids so that their hashes are equal only makes questions about them slower.
func hashOf[S string | []byte](kind uint64, s S) uint64 {
	h := kind * 0x9e3779b97f4a7c15
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	h ^= h >> 32 // the last bytes must reach the first bits
	h *= 0xd6e8feb86659fd93
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}

// mostWords is how many words of an event are hashed. An event with more is proposed for every word.
const mostWords = 4096

// idsOf hashes the ids of an event.
func idsOf(c *record.Columns) []uint64 {
	all := make([]uint64, 0, 5)
	for kind, id := range []string{c.CallID, c.WireID, c.RequestID, c.ResponseID} {
		if id != "" {
			all = append(all, hashOf(uint64(kind+kindCall), id))
		}
	}
	if len(c.CallID) >= idBegin {
		all = append(all, hashOf(kindBegin, c.CallID[:idBegin]))
	}
	return all
}

// idBegin is how much of a call's id is hashed for those who know only its beginning: what people type of it, after call_.
const idBegin = len("call_") + 6

// idAsked is the hash of the id that a filter asks for, of the kind that fewest events share.
func idAsked(f *query.Filter) (hash uint64, asked bool) {
	for kind, id := range []string{
		query.ColumnText(f.CallID), query.ColumnText(f.WireID), record.Name(f.RequestID), record.Name(f.ResponseID),
	} {
		if id != "" {
			return hashOf(uint64(kind+kindCall), id), true
		}
	}
	if begin := query.ColumnText(f.IDBegin); len(begin) >= idBegin {
		return hashOf(kindBegin, begin[:idBegin]), true
	}
	return 0, false
}

// wordsOf hashes the words of the arguments of an event.
func wordsOf(text []byte, room *[]uint64) []uint64 {
	all := (*room)[:0]
	query.EachArgumentWord(text, func(word []byte) bool {
		if all = append(all, hashOf(kindWord, word)); len(all) < 2*mostWords {
			return true
		}
		slices.Sort(all)
		all = slices.Compact(all)
		return len(all) < mostWords
	})
	slices.Sort(all)
	*room = all
	all = slices.Compact(all)
	if len(all) >= mostWords {
		return []uint64{hashOf(kindManyWords, "")}
	}
	return slices.Clone(all)
}

// wordRows is how many events share a posting for a word: few enough to look at all of them.
const wordRows = 128

// postingsOf are the postings of events, sorted.
func postingsOf(events []event) []posting {
	var all []posting
	for i := range events {
		for _, h := range events[i].ids {
			all = append(all, newPosting(h, i))
		}
		for _, h := range events[i].words {
			all = append(all, newPosting(h, i/wordRows*wordRows))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// A part of a run holds the postings whose hashes begin with the same bits: as many as say which part of so many it is. A packed posting
// is without its first byte, which all postings of a part share.
const (
	runParts   = 256
	wholeParts = 4096
	packedSize = 7
)

func packPostings(all []posting) packing {
	p := make(packing, 0, len(all)*packedSize+4)
	for _, n := range all {
		p = append(p, byte(n>>48), byte(n>>40), byte(n>>32), byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	}
	return p
}

// A part is a packed part of a run.
type part struct {
	packed []byte
	first  posting // the byte that all of them share
	base   int     // the offset of the run in its partition
}

// newPart unpacks a part of a run.
func newPart(sealed []byte, number, parts, base int) (part, error) {
	u := unpack(sealed)
	if u.left()%packedSize != 0 {
		u.fail()
	}
	return part{u.bytes(u.left()), posting(number*runParts/parts) << 56, base}, u.err
}

func (p part) len() int { return len(p.packed) / packedSize }

func (p part) at(i int) posting {
	b := p.packed[i*packedSize : (i+1)*packedSize]
	return p.first | posting(b[0])<<48 | posting(b[1])<<40 | posting(b[2])<<32 | posting(b[3])<<24 | posting(b[4])<<16 | posting(b[5])<<8 |
		posting(b[6])
}

// search returns the index of the first posting that is not less than one.
func (p part) search(least posting) int {
	low, high := 0, p.len()
	for low < high {
		if mid := (low + high) / 2; p.at(mid) < least {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// offsets returns the offsets in the partition of the events with a hash, from one offset up to and including another.
func (p part) offsets(hash uint64, from, to int, into []int) []int {
	least, most := newPosting(hash, max(0, from-p.base)), newPosting(hash, min(maxOffset, max(0, to-p.base)))
	if to < p.base {
		return into
	}
	for i := p.search(least); i < p.len(); i++ {
		n := p.at(i)
		if n > most {
			break
		}
		into = append(into, n.offset()+p.base)
	}
	return into
}

// partOf is the number of the part that has a hash.
func partOf(hash uint64, parts int) int { return int(hash >> 52 * uint64(parts) / wholeParts) }

// postings are those of a part, with their offsets in the partition, or in what base counts from.
func (p part) postings(into []posting) []posting {
	for i := range p.len() {
		into = append(into, p.at(i)+posting(p.base))
	}
	return into
}
