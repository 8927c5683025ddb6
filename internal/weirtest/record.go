package weirtest

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/weirtest/notation"
)

// changing are the members of events that differ from run to run, and those that every event has alike.
var changing = []string{
	"v", "id", "time", "request_id", "call_id", "provider", "policy_version", "trace_id", "span_id", "registry", "chain", "seq", "prev_hash",
	"hash",
}

// varying are the members of a detail that say what a response cost, how long it took, and when something ends.
var varying = regexp.MustCompile(`,"(?:expires":"[^"]*"|cost_usd_micros":[0-9]+|cost_guessed":true|prices":"[^"]*"|timings":\{[^}]*\})`)

// digests are what a call is to people who are asked about it.
var digests = regexp.MustCompile(`"(match|display)":"sha256:[0-9a-f]{64}"`)

// followed is the member of a detail that says why arguments which followed a refusal are not whole. A body has them with the refusal, and
// does not say it.
var followed = regexp.MustCompile(`,?"args_code":"\w+"`)

// usualSurface is left out as well: nearly every event has it.
const usualSurface = `"response"`

// stableLine is an event as a scenario states it: on one line, as weir prints it, with more members after its own.
func stableLine(e record.Entry, more string) ([]byte, error) {
	text, err := e.JSON()
	if err != nil {
		return nil, err
	}
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := d.ReadToken(); err != nil {
		return nil, fmt.Errorf("read event: %w", err)
	}
	line := []byte("{")
	for d.PeekKind() == '"' {
		name, err := d.ReadValue()
		if err != nil {
			return nil, fmt.Errorf("read event: %w", err)
		}
		name = name.Clone()
		value, err := d.ReadValue()
		if err != nil {
			return nil, fmt.Errorf("read event: %w", err)
		}
		if slices.Contains(changing, string(bytes.Trim(name, `"`))) || string(name) == `"surface"` && string(value) == usualSurface {
			continue
		}
		if string(name) == `"detail"` {
			value = digests.ReplaceAll(value, []byte(`"$1":"sha256:ID"`))
			value = followed.ReplaceAll(varying.ReplaceAll(value, nil), nil) // the table of prices grows, and time passes
			value = bytes.Replace(value, []byte("{,"), []byte("{"), 1)
			if string(value) == "{}" {
				continue
			}
		}
		if len(line) > 1 {
			line = append(line, ',')
		}
		line = append(append(append(line, name...), ':'), value...)
	}
	return notation.Text(withoutChance(append(append(line, more...), '}', '\n'))), nil
}

// written is what was recorded of one exchange.
type written struct {
	events []record.Event
	text   []byte // one stable line for each
}

// recordsOf sorts the entries by exchange. Every event must belong to one of the requests, but for those of policies.
func recordsOf(entries []record.Entry, requests []string) (map[string]*written, error) {
	records := map[string]*written{}
	exchanges := map[call.ID]int{} // the exchange in which a call was asked for
	for _, id := range requests {
		records[id] = &written{}
	}
	early := map[string]record.Entry{} // refusals whose arguments follow
	for _, entry := range entries {
		entry, err := withArguments(entry, early)
		if err != nil {
			return nil, err
		}
		e, err := entry.Event()
		if err != nil {
			return nil, err
		}
		if e.Type == record.Types.PolicyLoaded || e.ArgsFollow() {
			continue
		}
		r := records[e.Exchange.RequestID]
		if r == nil {
			return nil, fmt.Errorf("an event of type %s belongs to no request", e.Type)
		}
		if err := complete(e); err != nil {
			return nil, err
		}
		more := ""
		switch asked := exchanges[e.CallID]; {
		case e.Type.IsCall():
			exchanges[e.CallID] = slices.Index(requests, e.Exchange.RequestID) + 1
		case e.Type == record.Types.ToolResult && asked > 0:
			more = fmt.Sprintf(`,"answers":"exchange %d"`, asked)
		case e.Type == record.Types.ToolResult && e.CallID != "":
			return nil, fmt.Errorf("a result is linked to a call that nobody asked for")
		}
		line, err := stableLine(entry, more)
		if err != nil {
			return nil, err
		}
		e.WireID = string(withoutChance([]byte(e.WireID)))
		r.events = append(r.events, e)
		r.text = append(r.text, line...)
	}
	for id := range early {
		return nil, fmt.Errorf("the arguments of call %s were to follow and never did", id)
	}
	return records, nil
}

// withArguments is an entry, or the refusal that came before it, with the arguments that it has: a scenario shows both as one event, which
// stands where the arguments do. So a stream and a body that say the same have the same events.
func withArguments(entry record.Entry, early map[string]record.Entry) (record.Entry, error) {
	e, err := entry.Event()
	switch {
	case err != nil:
		return entry, err
	case e.ArgsFollow():
		early[entry.CallID] = entry
		if e.Args != nil || !e.Blocked && e.WouldBe == "" {
			return entry, fmt.Errorf("call %s has arguments that are to follow, or is not refused", entry.CallID)
		}
	case e.Type == record.Types.CallArguments:
		called, ok := early[entry.CallID]
		if !ok {
			return entry, fmt.Errorf("arguments follow call %s, of which nothing says that they do", entry.CallID)
		}
		delete(early, entry.CallID)
		return called.Join(entry)
	}
	return entry, nil
}

// complete checks what the stable line leaves out.
func complete(e record.Event) error {
	isCall := e.Type.IsCall() || e.Type == record.Types.Reread || e.Type == record.Types.CallWarning
	switch {
	case e.ID == "" || e.Time.IsZero() || time.Since(e.Time) > time.Hour:
		return fmt.Errorf("an event of type %s has no id or time", e.Type)
	case e.PolicyVersion == "" || e.Exchange.Provider == "" || e.Exchange.Dialect == "" && e.Type != record.Types.StreamRefused:
		return fmt.Errorf("an event of type %s lacks its policy version, provider or dialect", e.Type)
	case isCall && (e.CallID == "" || e.Surface != call.Response && e.Surface != call.Inbound):
		return fmt.Errorf("an event of type %s lacks its call id or surface", e.Type)
	case e.Exchange.Trace.ID == "" || e.Exchange.Trace.Span == "":
		return fmt.Errorf("an event of type %s lacks its trace", e.Type)
	}
	if d, ok := e.Detail.(record.ResponseDone); ok && (d.Timings.Started.IsZero() || d.Timings.TotalMicros <= 0) {
		return fmt.Errorf("an event of type %s does not say how long it took", e.Type)
	}
	return nil
}

// delivered checks that the agent has the calls that were released and nothing of those that were not. Of several calls
// with one id, all but one are refused.
func (r *written) delivered(body []byte) error {
	released := map[string]bool{}
	for _, e := range r.events {
		if e.Surface == call.Response && (e.Type.IsCall() || e.Type == record.Types.Reread) {
			released[e.WireID] = released[e.WireID] || !e.Blocked
		}
	}
	delete(released, "")
	for id, want := range released {
		if there := bytes.Contains(body, []byte(id)); there != want {
			return fmt.Errorf("call %s: released is %v, and delivered is %v", id, want, there)
		}
	}
	return nil
}
