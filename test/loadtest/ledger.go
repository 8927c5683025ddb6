package loadtest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// A Ledger is what reached the clients of one weir.
type Ledger struct {
	mu       sync.Mutex
	seen     map[string]bool   // ids of calls of which a client got the id, whatever else
	complete map[string]string // ids and arguments of calls that a client got whole
}

// NewLedger returns an empty one.
func NewLedger() *Ledger { return &Ledger{seen: map[string]bool{}, complete: map[string]string{}} }

var wireID = regexp.MustCompile(`"(toolu_[0-9_]+)"`)

// note keeps the ids that stand in bytes a client got, understood or not.
func (l *Ledger) note(p []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range wireID.FindAllSubmatch(p, -1) {
		l.seen[string(m[1])] = true
	}
}

func (l *Ledger) received(id, args string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.complete[id] = args
}

// Complete are the ids and arguments of calls that a client got whole, as a copy.
func (l *Ledger) Complete() map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.complete)
}

// A Comparison is a ledger held against a record.
type Comparison struct {
	Missing  []string // ids of calls that reached a client, in part or whole, and are not in the record
	Wrong    []error  // what else cannot be
	Complete int      // calls that reached a client whole
	Seen     int      // in part or whole
	Recorded int
	Withheld int            // recorded as released, and not seen
	Refused  map[string]int // events that tell of a refusal, by code
}

// Compare holds a record against what reached the clients.
func (l *Ledger) Compare(records map[string][]Record) Comparison {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := Comparison{Complete: len(l.complete), Seen: len(l.seen), Recorded: len(records), Refused: map[string]int{}}
	for id := range l.seen {
		if len(records[id]) == 0 {
			c.Missing = append(c.Missing, id)
		} else if err := fits(id, records[id]); err != nil {
			c.Wrong = append(c.Wrong, err)
		}
	}
	for id, args := range l.complete {
		if args != Arguments(id) {
			c.Wrong = append(c.Wrong, fmt.Errorf("call %s reached its client with other arguments: %s", id, excerpt(args)))
		}
	}
	for id, list := range records {
		released := false
		for _, r := range list {
			if released = released || !r.Blocked; r.Blocked {
				c.Refused[r.Code]++
			}
		}
		if released && !l.seen[id] {
			c.Withheld++
		}
	}
	return c
}

// fits says what is wrong with the records of a call that reached a client, in part or whole.
func fits(id string, records []Record) error {
	switch {
	case len(records) > 1:
		return fmt.Errorf("call %s is recorded %d times", id, len(records))
	case records[0].Blocked:
		return fmt.Errorf("call %s reached its client and is recorded as refused", id)
	case !records[0].has(Arguments(id)):
		return fmt.Errorf("call %s is recorded with other arguments: %s", id, excerpt(string(records[0].Args)))
	}
	return nil
}

// has says whether these arguments are on record: in full, or if they are large, by their digest and length.
func (r Record) has(args string) bool {
	if string(r.Args) == args {
		return true
	}
	sum := sha256.Sum256([]byte(args))
	return len(args) > 1<<20 && strings.Contains(r.Line, hex.EncodeToString(sum[:])) && strings.Contains(r.Line, strconv.Itoa(len(args)))
}

func excerpt(s string) string { return s[:min(len(s), 200)] }
