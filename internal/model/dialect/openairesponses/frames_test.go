package openairesponses_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/openairesponses"
)

// Items of one call, whole and as it begins.
const (
	rmItem  = `{"id":"fc_1","type":"function_call","status":"completed","arguments":"{\"p\":1}","call_id":"call_1","name":"rm"}`
	rmBegun = `{"id":"fc_1","type":"function_call","status":"in_progress","arguments":"","call_id":"call_1","name":"rm"}`
	lsItem  = `{"id":"fc_2","type":"function_call","status":"completed","arguments":"{\"n\":1.50}","call_id":"call_2","name":"ls"}`
	lsBegun = `{"id":"fc_2","type":"function_call","status":"in_progress","arguments":"","call_id":"call_2","name":"ls"}`
	sqlItem = `{"id":"ctc_3","type":"custom_tool_call","status":"completed","call_id":"call_3","name":"sql","input":"select 1"}`
	hiItem  = `{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"hi"}]}`
	hiBegun = `{"id":"msg_1","type":"message","status":"in_progress","role":"assistant","content":[]}`
)

// event is an event with more members; sequence numbers are filled in by stream.
func event(typ string, members ...string) string {
	return `{"type":"` + typ + `","sequence_number":#` + strings.Join(append([]string{""}, members...), ",") + `}`
}

// response is the object that events and bodies carry.
func response(status string, items ...string) string { return stored("false", status, items...) }

// stored is a response that says whether it is kept.
func stored(store, status string, items ...string) string {
	return `{"id":"resp_1","object":"response","created_at":1,"status":"` + status + `","error":null,"model":"m","output":[` +
		strings.Join(items, ",") + `],"store":` + store + `,"tools":[],"usage":null}`
}

// life is an event that carries a response.
func life(typ, response string) string { return event("response."+typ, `"response":`+response) }

var created = life("created", response("in_progress"))

// ended is the event with which a stream ends well.
func ended(items ...string) string { return life("completed", response("completed", items...)) }

func added(index any, item string) string {
	return event("response.output_item.added", fmt.Sprintf(`"output_index":%v`, index), `"item":`+item)
}

func done(index any, item string) string {
	return event("response.output_item.done", fmt.Sprintf(`"output_index":%v`, index), `"item":`+item)
}

// piece is a delta of such a kind; the text stands escaped between quotes.
func piece(kind string, index any, id, text string) string {
	return event("response."+kind+".delta", `"item_id":"`+id+`"`, fmt.Sprintf(`"output_index":%v`, index), `"delta":"`+text+`"`)
}

func argsDelta(index any, id, text string) string {
	return piece("function_call_arguments", index, id, text)
}

func argsDone(index any, id, text string) string {
	return event("response.function_call_arguments.done", `"item_id":"`+id+`"`, fmt.Sprintf(`"output_index":%v`, index), `"arguments":"`+text+`"`)
}

// says are the events of a message, but for its item's.
func says(index int, id, text string) []string {
	at := []string{`"item_id":"` + id + `"`, fmt.Sprintf(`"output_index":%d`, index), `"content_index":0`}
	part := func(s string) string {
		return `"part":{"type":"output_text","annotations":[],"logprobs":[],"text":` + quote(s) + `}`
	}
	with := func(more ...string) []string { return append(append([]string(nil), at...), more...) }
	return []string{
		event("response.content_part.added", with(part(""))...),
		event("response.output_text.delta", with(`"delta":`+quote(text), `"logprobs":[]`)...),
		event("response.output_text.done", with(`"text":`+quote(text), `"logprobs":[]`)...),
		event("response.content_part.done", with(part(text))...),
	}
}

// rmCall are the events of a whole call; lsCall those of another after it.
func rmCall(index any) []string {
	return []string{
		added(index, rmBegun), argsDelta(index, "fc_1", `{\"p\"`), argsDelta(index, "fc_1", `:1}`),
		argsDone(index, "fc_1", `{\"p\":1}`), done(index, rmItem),
	}
}

func lsCall(index any) []string { return []string{added(index, lsBegun), done(index, lsItem)} }

// hi are the events of a message.
func hi(index int) []string {
	return append(append([]string{added(index, hiBegun)}, says(index, "msg_1", "hi")...), done(index, hiItem))
}

// flat puts frames and lists of frames together.
func flat(parts ...any) []string {
	var all []string
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			all = append(all, p)
		case []string:
			all = append(all, p...)
		}
	}
	return all
}

// stream puts frames on the wire, numbered.
func stream(frames ...string) []byte { return numbered(0, frames...) }

// numbered is stream with another first number. A # stands for the number of the frame.
func numbered(first int, frames ...string) []byte {
	var b strings.Builder
	for i, f := range frames {
		f = strings.Replace(f, `"sequence_number":#`, fmt.Sprintf(`"sequence_number":%d`, first+i), 1)
		writeFrame(&b, f)
	}
	return []byte(b.String())
}

// wire puts frames that have their numbers on the wire.
func wire(frames ...string) string {
	var b strings.Builder
	for _, f := range frames {
		writeFrame(&b, f)
	}
	return b.String()
}

// at gives a frame its number.
func at(number int, frame string) string {
	return strings.Replace(frame, `"sequence_number":#`, fmt.Sprintf(`"sequence_number":%d`, number), 1)
}

// own gives each of some frames a number of its own. They come with those of the frames in whose place they stand, which they keep where
// nobody ahead of them has it.
func own(frames ...string) []string {
	last := -1
	out := make([]string, len(frames))
	for i, f := range frames {
		out[i] = sequenceNumber.ReplaceAllStringFunc(f, func(text string) string {
			n, _ := strconv.Atoi(sequenceNumber.FindStringSubmatch(text)[1])
			last = max(n, last+1)
			return fmt.Sprintf(`"sequence_number":%d`, last)
		})
	}
	return out
}

var sequenceNumber = regexp.MustCompile(`"sequence_number":(\d+)`)

func writeFrame(b *strings.Builder, data string) {
	if rest, ok := strings.CutPrefix(data, `{"type":"`); ok {
		name, _, _ := strings.Cut(rest, `"`)
		fmt.Fprintf(b, "event: %s\n", name)
	}
	fmt.Fprintf(b, "data: %s\n\n", data)
}

// Names that tables are full of.
var (
	quote     = dialecttest.Quote
	refuse    = dialecttest.Refuse
	noticeFor = dialecttest.NoticeFor
)

func pass(in []byte, whole bool, p dialecttest.Policy) dialecttest.Result {
	return dialecttest.Put(openairesponses.Format(), framingOf(whole), in, p)
}

func framingOf(whole bool) frame.Framing {
	if whole {
		return frame.Whole
	}
	return frame.Events
}
