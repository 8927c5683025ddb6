package gemini_test

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/model/dialect/gemini"
)

// Parts with one call each.
const (
	rmPart  = `{"functionCall":{"id":"a","name":"rm","args":{"p":1}}}`
	lsPart  = `{"functionCall":{"id":"b","name":"ls","args":{"n":1.50}}}`
	signed  = `{"functionCall":{"id":"a","name":"rm","args":{"p":1}},"thoughtSignature":"c2ln"}`
	hiPart  = `{"text":"hi"}`
	nothing = `{"text":""}` // what an element says of which nothing is left
	failure = `{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}`
)

// element is what a stream is made of: candidates, and what every element repeats.
func element(candidates ...string) string {
	return `{"candidates":[` + strings.Join(candidates, ",") + `],"usageMetadata":{"promptTokenCount":1},"modelVersion":"m","responseId":"r1"}`
}

// candidate is an entry of candidates with these parts.
func candidate(index int, parts ...string) string {
	return fmt.Sprintf(`{"content":{"role":"model","parts":[%s]},"index":%d}`, strings.Join(parts, ","), index)
}

// says is an element with parts of the first candidate.
func says(parts ...string) string { return element(candidate(0, parts...)) }

// ends is the last element of the first candidate.
func ends(parts ...string) string { return endsFor("STOP", parts...) }

func endsFor(reason string, parts ...string) string { return element(finished(0, reason, parts...)) }

// finished is an entry of candidates that comes to its end.
func finished(index int, reason string, parts ...string) string {
	return fmt.Sprintf(`{"content":{"role":"model","parts":[%s]},"finishReason":%q,"index":%d}`, strings.Join(parts, ","), reason, index)
}

// bareEnd is the last element of a candidate that has nothing more to say.
var bareEnd = element(`{"finishReason":"STOP","index":0}`)

// piece is a part with a piece of a call.
func piece(members string) string { return `{"functionCall":{` + members + `}}` }

// wrap puts an element into the wrapper of Code Assist.
func wrap(element string) string { return `{"response":` + element + `,"traceId":"t1"}` }

// stream puts elements on the wire as events.
func stream(elements ...string) []byte {
	var b strings.Builder
	for _, e := range elements {
		fmt.Fprintf(&b, "data: %s\r\n\r\n", e)
	}
	return []byte(b.String())
}

// array puts elements on the wire as an array.
func array(elements ...string) []byte { return []byte("[" + strings.Join(elements, ",\r\n") + "]") }

// wire puts elements on the wire in a framing.
func wire(in frame.Framing, elements ...string) []byte {
	switch in {
	case frame.Elements:
		return array(elements...)
	case frame.Whole:
		return []byte(strings.Join(elements, ""))
	}
	return stream(elements...)
}

// streamed are the framings of streams.
var streamed = map[string]frame.Framing{"events": frame.Events, "array": frame.Elements}

// Names that tables are full of.
var (
	quote     = dialecttest.Quote
	refuse    = dialecttest.Refuse
	noticeFor = dialecttest.NoticeFor
)

func pass(in []byte, framing frame.Framing, p dialecttest.Policy) dialecttest.Result {
	return dialecttest.Put(gemini.Format(), framing, in, p)
}

// told is a part with the notice of a tool that the test refused.
func told(tool string) string { return `{"text":` + quote(noticeFor(tool)) + `}` }

// toldAfter is told after text or another notice.
func toldAfter(tool string) string { return `{"text":` + quote("\n\n"+noticeFor(tool)) + `}` }

// faultNotice is a part with the notice of a call that is refused for what it is.
func faultNotice(tool, code, reason string) string {
	return `{"text":` + quote(`[weir] The call to "`+tool+`" was refused (`+code+`): `+reason+
		" Do not retry it; continue without it or ask the user.") + `}`
}
