package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recorder"
	"github.com/weir-gate/weir/internal/record/store/postgrestest"
)

// A durable is a database that syncs every commit to disk.
type durable struct{ name, url string }

// durables are one of each kind.
func durables(b *testing.B) []durable {
	b.Helper()
	server := postgrestest.New(b, "fsync=on", "full_page_writes=on", "autovacuum=on", "shared_buffers=256MB", "max_wal_size=4GB")
	return []durable{
		{"sqlite", "sqlite://" + filepath.Join(b.TempDir(), "weir.db")},
		{"postgres", server.Database(b)},
	}
}

// A workload is what agents leave behind. It has a name, so that no other has the same ids.
type workload string

func newWorkload() workload { return workload(rand.Text()) }

// event is the nth event of an agent: it asks for a call, brings back the result, and its response ends; then it begins again.
func (w workload) event(agent, n int) record.Event {
	person := agent % 200
	id := fmt.Sprintf("%s_%d_%d", w, agent, n/3)
	e := record.Event{
		Actor: call.Actor{
			Employee: fmt.Sprintf("employee%03d@acme.com", person), Team: madeTeams[person%len(madeTeams)], Org: "acme", Session: fmt.Sprint("session-", person),
		},
		Exchange: call.Exchange{RequestID: "req_" + id, Provider: "anthropic", Model: "claude-large"},
	}
	switch n % 3 {
	case 0:
		e.Type, e.Surface, e.Tool, e.Verdict = record.Types.ToolCall, call.Response, madeTools[n/3%len(madeTools)], "allow"
		e.CallID, e.WireID = call.ID("call_"+id), "toolu_"+id
		e.Args = jsontext.Value(`{"command":"` + strings.Repeat("x", 200) + `"}`)
	case 1:
		e.Type, e.Surface, e.CallID, e.WireID = record.Types.ToolResult, call.Inbound, call.ID("call_"+id), "toolu_"+id
		e.Detail = record.ToolResult{SizeBytes: 1234}
	case 2:
		e.Type = record.Types.ResponseDone
		e.Detail = record.ResponseDone{Usage: call.Usage{Input: 1000, Output: 100}, Released: 1, CostMicros: 4000, Clean: true}
	}
	return e
}

// A bare writes texts and nothing else: into a table without an index, by the database's driver. That is the least that a
// durable record can cost.
type bare struct {
	s      *Store
	insert *sql.Stmt
}

func newBare(b *testing.B, s *Store) bare {
	b.Helper()
	if _, err := s.write.Exec("CREATE TABLE bare (text TEXT)"); err != nil {
		b.Fatal(err)
	}
	query := "INSERT INTO bare VALUES (?)"
	if isPostgres(s.write.flavour) {
		query = "INSERT INTO bare SELECT unnest($1::text[])" // one question, however many there are
	}
	insert, err := s.write.Prepare(query)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { insert.Close() })
	return bare{s, insert}
}

// commit writes the texts of entries in one transaction and returns how long that took.
func (w bare) commit(b *testing.B, entries []record.Entry) time.Duration {
	b.Helper()
	texts := make([]string, len(entries))
	for i, e := range entries {
		texts[i] = string(e.Text)
	}
	began := time.Now()
	if err := w.write(b.Context(), texts); err != nil {
		b.Fatal(err)
	}
	return time.Since(began)
}

func (w bare) write(ctx context.Context, texts []string) error {
	if isPostgres(w.s.write.flavour) {
		_, err := w.insert.ExecContext(ctx, texts)
		return err
	}
	tx, err := w.s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit it does nothing; before, the first error is the one to tell
	insert := tx.StmtContext(ctx, w.insert)
	for _, text := range texts {
		if _, err := insert.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// batches is a store that remembers what was appended together.
type batches struct {
	*Store
	stored [][]record.Entry
}

func (s *batches) Append(ctx context.Context, entries []record.Entry) error {
	s.stored = append(s.stored, entries)
	return s.Store.Append(ctx, entries)
}

// bared writes what was appended since the last time as bare texts, in as many commits, and returns how long that took.
func (s *batches) bared(b *testing.B, w bare) (took time.Duration) {
	b.Helper()
	for _, entries := range s.stored {
		took += w.commit(b, entries)
	}
	s.stored = nil
	return took
}

// quantile is the time that so much of a sample, which it sorts, does not pass.
func quantile(sample []time.Duration, q float64) time.Duration {
	slices.Sort(sample)
	return sample[int(q*float64(len(sample)-1))]
}

// millis is a time as a metric.
func millis(d time.Duration) float64 { return d.Seconds() * 1000 }

// BenchmarkRuled measures how fast a ruling is found among many: in its response, in its conversation, or by its id,
// which in the worst case all calls have.
func BenchmarkRuled(b *testing.B) {
	const rows = 100_000
	for _, ids := range []string{"different", "same"} {
		s := openStore(b, filepath.Join(b.TempDir(), "weir.db"))
		r := recorder.New(recorder.Config{Store: s, Queue: rows})
		id := func(i int) string {
			if ids == "same" {
				return "call_0"
			}
			return fmt.Sprint("call_", i)
		}
		for i := range rows {
			r.RecordAll([]record.Event{{Type: record.Types.ToolCall}}, record.Effects{Remember: &call.Remembered{
				Upstream: "openai", Response: fmt.Sprint("resp_", i), Conversation: fmt.Sprint("conv_", i/100), WireID: id(i),
				Unit: "function_call", Notice: fmt.Sprint("msg_weir_", i), Ruling: call.Ruling{Released: i%10 != 0},
			}}, func(err error) {
				if err != nil {
					b.Error(err)
				}
			})
		}
		if err := r.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
		for name, x := range map[string]func(i int) call.Exchange{
			"response": func(i int) call.Exchange {
				return call.Exchange{Provider: "openai", ResponseID: fmt.Sprint("resp_", i)}
			},
			"conversation": func(i int) call.Exchange {
				return call.Exchange{Provider: "openai", Conversation: fmt.Sprint("conv_", i/100)}
			},
			"id": func(int) call.Exchange { return call.Exchange{Provider: "openai"} },
		} {
			b.Run("ids="+ids+"/by="+name, func(b *testing.B) {
				for i := range b.N {
					at := i * 7919 % rows
					if _, found, err := s.Ruled(b.Context(), x(at), id(at)); err != nil || !found {
						b.Fatalf("found %v, %v", found, err)
					}
				}
			})
		}
	}
}
