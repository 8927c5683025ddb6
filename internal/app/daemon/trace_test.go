package daemon

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
)

const (
	someTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	someSpan  = "00f067aa0ba902b7"
)

func TestContinue(t *testing.T) {
	good := call.Trace{ID: someTrace, Parent: someSpan}
	unsampled := call.Trace{ID: someTrace, Parent: someSpan, Unsampled: true}
	none := call.Trace{}
	for text, want := range map[string]call.Trace{
		"00-" + someTrace + "-" + someSpan + "-01":                  good,
		"00-" + someTrace + "-" + someSpan + "-00":                  unsampled,
		"00-" + someTrace + "-" + someSpan + "-03":                  good,
		"00-" + someTrace + "-" + someSpan + "-fe":                  unsampled,
		"cc-" + someTrace + "-" + someSpan + "-01":                  good,
		"cc-" + someTrace + "-" + someSpan + "-01-what-will-be":     good,
		"cc-" + someTrace + "-" + someSpan + "-01.what-will-be":     none,
		"00-" + someTrace + "-" + someSpan + "-01-":                 none,
		"00-" + someTrace + "-" + someSpan + "-01-more":             none,
		"ff-" + someTrace + "-" + someSpan + "-01":                  none,
		"00-" + strings.Repeat("0", 32) + "-" + someSpan + "-01":    none,
		"00-" + someTrace + "-" + strings.Repeat("0", 16) + "-01":   none,
		"00-" + strings.ToUpper(someTrace) + "-" + someSpan + "-01": none,
		"00-" + someTrace + "-" + someSpan + "-0":                   none,
		"00-" + someTrace + "-" + someSpan + "-0x":                  none,
		"00-" + someTrace + "-" + someSpan:                          none,
		"0-0" + someTrace + "-" + someSpan + "-01":                  none,
		"00-" + someTrace[1:] + "--" + someSpan + "-01":             none,
		" 00-" + someTrace + "-" + someSpan + "-01":                 none,
		"00_" + someTrace + "_" + someSpan + "_01":                  none,
		"": none,
		"00-" + someTrace + "-" + someSpan + "-01,00-" + someTrace:    none,
		"00-" + someTrace[:30] + "é" + "-" + someSpan + "-01":         none,
		"00-" + someTrace + "-" + someSpan + "-01\n":                  none,
		"00-" + someTrace + "-" + someSpan[:14] + "\x00\x00" + "-01":  none,
		"00-" + someTrace + "-" + someSpan + "-01, 00-x-y-01":         none,
		"cc-" + someTrace + "-" + someSpan + "-01-" + someTrace + "-": good,
	} {
		h := http.Header{}
		h.Set("traceparent", text)
		got := continueTrace(h)
		if !spanID.MatchString(got.Span) || got.Span == someSpan {
			t.Errorf("%q: the span is %q", text, got.Span)
		}
		got.Span = ""
		if want == none {
			if got.ID == someTrace || !traceID.MatchString(got.ID) {
				t.Errorf("%q: the trace is %q", text, got.ID)
			}
			got.ID = ""
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q:\n%s", text, diff)
		}
	}
	twice := http.Header{"Traceparent": {"00-" + someTrace + "-" + someSpan + "-01", "00-" + someTrace + "-" + someSpan + "-01"}}
	if got := continueTrace(twice); got.ID == someTrace {
		t.Error("a header that is given twice is believed")
	}
	if a, b := continueTrace(nil), continueTrace(nil); a.ID == b.ID || a.Span == b.Span {
		t.Error("two requests have one trace")
	}
}

func TestPropagate(t *testing.T) {
	for name, tt := range map[string]struct {
		trace call.Trace
		want  http.Header
	}{
		"the client's":   {call.Trace{ID: someTrace, Span: "a1a2a3a4a5a6a7a8", Parent: someSpan}, http.Header{"Traceparent": {"00-" + someTrace + "-a1a2a3a4a5a6a7a8-01"}, "Tracestate": {"a=1"}}},
		"not sampled":    {call.Trace{ID: someTrace, Span: "a1a2a3a4a5a6a7a8", Parent: someSpan, Unsampled: true}, http.Header{"Traceparent": {"00-" + someTrace + "-a1a2a3a4a5a6a7a8-00"}, "Tracestate": {"a=1"}}},
		"one of our own": {call.Trace{ID: someTrace, Span: "a1a2a3a4a5a6a7a8"}, http.Header{"Traceparent": {"00-" + someTrace + "-a1a2a3a4a5a6a7a8-01"}}},
	} {
		h := http.Header{"Tracestate": {"a=1"}, "Traceparent": {"what the client said", "and again"}}
		propagateTrace(tt.trace, h)
		if diff := cmp.Diff(tt.want, h); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

var (
	traceID = regexp.MustCompile("^[0-9a-f]{32}$")
	spanID  = regexp.MustCompile("^[0-9a-f]{16}$")
)

func isZero(s string) bool { return strings.Trim(s, "0") == "" }

// oracle is the grammar of the specification.
var oracle = regexp.MustCompile(`^(?:00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}|([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-(?s:.*))?)$`)

// What is parsed is what the grammar allows, and what is passed on is parsed again as the same trace.
func FuzzTraceparent(f *testing.F) {
	f.Add("00-" + someTrace + "-" + someSpan + "-01")
	f.Add("cc-" + someTrace + "-" + someSpan + "-00-x")
	f.Add("ff-" + someTrace + "-" + someSpan + "-01")
	f.Add("00-" + strings.Repeat("0", 32) + "-" + someSpan + "-01")
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := call.TraceOf(text)
		m := oracle.FindStringSubmatch(text)
		want := m != nil && m[3] != "ff" && (m[3] != "00" || len(text) == len("00-"+someTrace+"-"+someSpan+"-01")) && !isZero(m[1]+m[4]) && !isZero(m[2]+m[5])
		if ok != want {
			t.Fatalf("%q: %v, want %v", text, ok, want)
		}
		if !ok {
			return
		}
		if got.ID != m[1]+m[4] || got.Parent != m[2]+m[5] {
			t.Fatalf("%q: %+v", text, got)
		}
		got.Span = someSpan
		h := http.Header{}
		propagateTrace(got, h)
		again, ok := call.TraceOf(h["Traceparent"]...)
		if !ok || again.ID != got.ID || again.Parent != someSpan || again.Unsampled != got.Unsampled {
			t.Fatalf("%q becomes %v", text, h)
		}
	})
}
