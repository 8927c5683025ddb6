package crash

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/model/wire"
	"github.com/weir-gate/weir/internal/record/store/storetest"
	"github.com/weir-gate/weir/internal/weirtest/program"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
	"github.com/weir-gate/weir/test/loadtest"
)

// TestKilledAfterTheNotice kills weir the moment a client reads that a call was refused, while the model still writes the arguments. The
// refusal must be on record.
func TestKilledAfterTheNotice(t *testing.T) {
	for name, store := range storetest.Databases {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			turn := 0
			upstream, err := scripted.New(scripted.Config{Answer: func(scripted.Request) scripted.Answer {
				turn++
				return beginning(fmt.Sprint("toolu_", turn))
			}})
			if err != nil {
				t.Fatal(err)
			}
			defer upstream.Close() // nobody asks any more
			in := program.In(t.TempDir(), binary)
			in.Store = store(t)
			if err := in.Configure(loadtest.Settings(upstream.URL(), "deny")); err != nil {
				t.Fatal(err)
			}
			const kills = 5
			for range kills {
				if err := readNotice(ctx, in); err != nil {
					t.Fatal(err)
				}
			}
			records := loadtest.Records(t, in)
			for i := range kills {
				id := fmt.Sprint("toolu_", i+1)
				if got := records[id]; len(got) != 1 || !got[0].Blocked || got[0].Code != "tool_denied" {
					t.Errorf("the client read that %s was refused; the record has %+v", id, got)
				}
			}
		})
	}
}

// readNotice starts weir, reads an answer up to a notice, and kills it.
func readNotice(ctx context.Context, in program.Install) error {
	p, err := start(in, moment{})
	if err != nil {
		return err
	}
	defer p.kill()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.Base+"/anthropic/v1/messages", strings.NewReader(`{"model":"m","stream":true,"messages":[]}`))
	if err != nil {
		return err
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, p.Log())
	}
	defer resp.Body.Close() // its other end is dead
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "[weir] The call to ") {
			p.kill()
			return nil
		}
	}
	return fmt.Errorf("the answer ended without a notice: %w\n%s", lines.Err(), p.Log())
}

// beginning is an answer that begins a call and never ends.
func beginning(id string) scripted.Answer {
	a := scripted.Answer{Header: http.Header{"Content-Type": {"text/event-stream"}}}
	call := wire.Block{Tool: "Bash", ID: id, Pieces: []string{`{"command":`}}
	for _, s := range wire.Messages.Stream(wire.Turn{Model: "m", ID: "msg_1", In: 1, Out: 1, Blocks: []wire.Block{call}})[:3] {
		a.Steps = append(a.Steps, scripted.Write(wire.Messages.Encode(s)))
	}
	a.Steps = append(a.Steps, scripted.Wait(make(chan struct{})))
	return a
}
