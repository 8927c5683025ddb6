package cli

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// upstream starts a scripted model and puts its address into $UPSTREAM. A request's model names the file with the turn
// that it streams. From then on there are two commands more: resume lets a turn go on that waits, and asked TEXT says
// that the newest request held a text.
func upstream(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 0, "upstream")
	folder, resume := ts.MkAbs("."), make(chan struct{})
	u, err := scripted.New(scripted.Config{Answer: func(r scripted.Request) scripted.Answer {
		return playTurn(folder, r, resume)
	}})
	ts.Check(err)
	ts.Defer(func() { u.Close() })
	ts.Setenv("UPSTREAM", u.URL())
	ts.SetCmd("resume", func(ts *testscript.TestScript, neg bool, args []string) {
		usage(ts, !neg && len(args) == 0, "resume")
		select {
		case resume <- struct{}{}:
		case <-time.After(patience):
			ts.Fatalf("no turn waits")
		}
	})
	ts.SetCmd("asked", func(ts *testscript.TestScript, neg bool, args []string) {
		usage(ts, len(args) == 1, "asked TEXT")
		requests := u.Requests()
		if len(requests) == 0 {
			ts.Fatalf("the upstream was asked nothing")
		}
		last := requests[len(requests)-1]
		text := fmt.Sprintf("%s %s\n%v\n%s", last.Method, last.Path, last.Header, last.Body)
		if strings.Contains(text, args[0]) == neg {
			ts.Fatalf("the upstream was asked:\n%s", text)
		}
	})
}

func playTurn(folder string, r scripted.Request, resume <-chan struct{}) scripted.Answer {
	var request struct {
		Model string `json:"model"`
	}
	if err := json.Unmarshal(r.Body, &request); err != nil {
		return scripted.Answer{Status: http.StatusBadRequest}
	}
	text, err := os.ReadFile(filepath.Join(folder, request.Model))
	if err != nil {
		return scripted.Answer{Status: http.StatusNotFound}
	}
	t := turn{resume: resume}
	t.frame("message_start", `"message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],`+
		`"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`)
	for line := range strings.Lines(string(text)) {
		t.line(strings.TrimSuffix(line, "\n"))
	}
	t.frame("message_delta", `"delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":2}`)
	t.frame("message_stop", "")
	return scripted.Answer{Header: http.Header{"Content-Type": {"text/event-stream"}}, Steps: t.steps}
}

// A turn is written one content block a line: "text WORDS", "call NAME ARGUMENTS" with NAME plain or as a JSON string.
// "wait" holds the stream until the script says resume; "raw DATA" sends a frame as it is.
type turn struct {
	steps  []scripted.Step
	blocks int
	resume <-chan struct{}
}

func (t *turn) line(line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "text":
		t.block(`{"type":"text","text":""}`, fmt.Sprintf(`{"type":"text_delta","text":%s}`, quoted(rest)))
	case "call":
		name, args, _ := strings.Cut(rest, " ")
		if !strings.HasPrefix(name, `"`) {
			name = quoted(name)
		}
		t.block(fmt.Sprintf(`{"type":"tool_use","id":"toolu_%d","name":%s,"input":{}}`, t.blocks, name),
			fmt.Sprintf(`{"type":"input_json_delta","partial_json":%s}`, quoted(args)))
	case "wait":
		t.steps = append(t.steps, scripted.Wait(t.resume))
	case "raw":
		t.steps = append(t.steps, scripted.Write([]byte("data: "+rest+"\n\n")))
	}
}

func (t *turn) block(start, delta string) {
	t.frame("content_block_start", fmt.Sprintf(`"index":%d,"content_block":%s`, t.blocks, start))
	t.frame("content_block_delta", fmt.Sprintf(`"index":%d,"delta":%s`, t.blocks, delta))
	t.frame("content_block_stop", fmt.Sprintf(`"index":%d`, t.blocks))
	t.blocks++
}

func (t *turn) frame(typ, members string) {
	if members != "" {
		members = "," + members
	}
	t.steps = append(t.steps, scripted.Write(fmt.Appendf(nil, "event: %s\ndata: {\"type\":%q%s}\n\n", typ, typ, members)))
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}
