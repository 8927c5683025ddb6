package storetest

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
)

// A Memory is what weir needs from a backend for stored rulings.
type Memory interface {
	Ruled(ctx context.Context, x call.Exchange, wireID string) (call.Ruling, bool, error)
	Refused(ctx context.Context, upstream, response string) ([]call.Remembered, error)
	RefusedIn(ctx context.Context, upstream, conversation string) ([]call.Remembered, error)
	Noticed(ctx context.Context, upstream, notice string) (call.Remembered, bool, error)
	SetAnswered(ctx context.Context, upstream, conversation string, wireIDs []string, answered bool) error
}

func testRulings(t *testing.T, open func(t *testing.T) Backend) {
	for name, test := range map[string]func(*testing.T, Backend){
		"Scope":         testScope,
		"Missing":       testMissing,
		"Answered":      testAnswered,
		"AnsweredAgain": testAnsweredByTheAgent,
		"Noticed":       testNoticed,
		"OddIDs":        testOddIDs,
		"Restart":       testRestart,
		"Two":           testTwoStores,
		"WithEvent":     testRulingWithItsEvent,
		"Cancelled":     testMemoryCancelled,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
	t.Run("Strictness", func(t *testing.T) { testStrictness(t, open) })
}

// refused is a refusal with the given words.
func refused(words string) call.Ruling {
	return call.Ruling{Code: call.CodeArgsDenied, Reason: "Not " + words + ".", Rule: "no-" + words, Policy: "p1"}
}

var released = call.Ruling{Released: true}

// remembered is a stored ruling on a call that tests name by its response, its conversation and its id, "-" for none.
func remembered(name string, r call.Ruling) call.Remembered {
	id := strings.Split(strings.ReplaceAll(name, "-", ""), " ")
	return call.Remembered{
		Upstream: "openai", Response: id[0], Conversation: id[1], WireID: id[2], Unit: "function_call",
		Notice: "msg_weir_" + id[2], Tool: "Bash", Ruling: r,
	}
}

// remember stores rulings, each with its own event.
func remember(t *testing.T, s Store, all ...call.Remembered) {
	t.Helper()
	keepWith(t, s, record.Types.ToolCall, all...)
}

func keepWith(t *testing.T, s Store, typ record.Type, all ...call.Remembered) {
	t.Helper()
	appendAll(t, s, sealRulings(t, typ, all...))
}

// sealRulings seals an event for each ruling that is to be stored.
func sealRulings(t *testing.T, typ record.Type, all ...call.Remembered) []record.Entry {
	t.Helper()
	events := make([]record.Event, len(all))
	for i := range events {
		events[i].Type = typ
	}
	entries := seal(t, events...)
	for i := range all {
		entries[i].With.Remember = &all[i]
	}
	return entries
}

// wantRuled checks the stored ruling on a call; nil: there is none.
func wantRuled(t *testing.T, s Store, x call.Exchange, wireID string, want *call.Ruling) {
	t.Helper()
	got, found, err := s.Ruled(t.Context(), x, wireID)
	if err != nil {
		t.Fatal(err)
	}
	if want == nil {
		want = &call.Ruling{}
		if found {
			t.Errorf("%q is remembered as %+v", wireID, got)
		}
	} else if !found {
		t.Errorf("%q is not remembered", wireID)
	}
	if diff := cmp.Diff(*want, got); diff != "" {
		t.Errorf("%q (-want +got):\n%s", wireID, diff)
	}
}

func exchange(response, conversation string) call.Exchange {
	return call.Exchange{Provider: "openai", ResponseID: response, Conversation: conversation}
}

func testScope(t *testing.T, b Backend) {
	one, two, three, four, list, loose := refused("one"), refused("two"), refused("three"), refused("four"), refused("list"), refused("loose")
	remember(t, b,
		remembered("r1 c1 a", one), remembered("r2 c1 a", released), remembered("r3 c2 a", two), remembered("r4 - b", three), remembered("r5 - -", four),
		remembered("- c1 d", list), remembered("- - e", loose), remembered("r6 c3 d", released), remembered("r6 - -", released),
	)
	for _, test := range []struct {
		name                       string
		response, conversation, id string
		want                       *call.Ruling
	}{
		{"by response", "r1", "", "a", &one},
		{"by response, whatever the conversation", "r1", "c9", "a", &one},
		{"the same id in another response", "r2", "c1", "a", &released},
		{"another response", "r9", "c1", "a", nil},
		{"another id", "r1", "c1", "z", nil},
		{"by conversation: the strictest", "", "c1", "a", &one},
		{"by another conversation", "", "c2", "a", &two},
		{"a conversation that is not known", "", "c9", "a", nil},
		{"by id: the strictest, first recorded", "", "", "a", &one},
		{"kept without a conversation", "", "c1", "b", &three},
		{"kept without a response", "r1", "c1", "d", &list},
		{"kept without a response, in another conversation", "r6", "c3", "d", &released},
		{"kept without a response, and no conversation to tell by", "r6", "", "d", &list},
		{"kept without either", "r1", "c1", "e", &loose},
		{"kept without either, by conversation", "", "c1", "e", &loose},
		{"no id, by response", "r5", "", "", &four},
		{"no id, by another response", "r6", "c1", "", &released},
		{"no id, by conversation", "", "c1", "", nil},
		{"no id and nothing else", "", "", "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			wantRuled(t, b, exchange(test.response, test.conversation), test.id, test.want)
		})
	}
	t.Run("another upstream", func(t *testing.T) {
		x := exchange("r1", "c1")
		x.Provider = "corp"
		wantRuled(t, b, x, "a", nil)
		x.ResponseID, x.Conversation = "", ""
		wantRuled(t, b, x, "a", nil)
	})
}

// testStrictness stores rulings on one call in every order: the stricter stays, and of two refusals the first.
func testStrictness(t *testing.T, open func(t *testing.T) Backend) {
	first, second := refused("first"), refused("second")
	for _, test := range []struct {
		name    string
		rulings []call.Ruling
		want    call.Ruling
	}{
		{"released twice", []call.Ruling{released, released}, released},
		{"then refused", []call.Ruling{released, first}, first},
		{"then released", []call.Ruling{first, released}, first},
		{"refused twice", []call.Ruling{first, second}, first},
		{"refused between", []call.Ruling{released, first, released, second, released}, first},
	} {
		t.Run(test.name, func(t *testing.T) {
			together, apart := open(t), open(t)
			var all []call.Remembered
			for _, r := range test.rulings {
				all = append(all, remembered("r1 c1 a", r))
				remember(t, apart, remembered("r1 c1 a", r))
			}
			remember(t, together, all...)
			for _, b := range []Backend{together, apart} {
				wantRuled(t, b, exchange("r1", "c1"), "a", &test.want)
				wantRuled(t, b, exchange("", "c1"), "a", &test.want)
				var want []call.Remembered
				if !test.want.Released {
					want = append(want, remembered("r1 c1 a", test.want))
				}
				wantMissing(t, b, "r1", "c1", want...)
			}
		})
	}
}

// wantMissing checks the calls that lack an output, by response and by conversation.
func wantMissing(t *testing.T, s Store, response, conversation string, want ...call.Remembered) {
	t.Helper()
	if response != "" {
		got, err := s.Refused(t.Context(), "openai", response)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("refused in response %q (-want +got):\n%s", response, diff)
		}
	}
	if conversation != "" {
		got, err := s.RefusedIn(t.Context(), "openai", conversation)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("refused in conversation %q (-want +got):\n%s", conversation, diff)
		}
	}
}

func testMissing(t *testing.T, b Backend) {
	z, a, m := remembered("r1 c1 z", refused("z")), remembered("r1 c1 a", refused("a")), remembered("r1 c1 m", refused("m"))
	ran := remembered("r1 c1 ran", refused("ran"))
	ran.Unit = ""
	elsewhere := remembered("r1 c1 q", refused("q"))
	elsewhere.Upstream = "corp"
	later := remembered("r2 c1 b", refused("b"))
	remember(t, b, z, remembered("r1 c1 ok", released), ran, a, remembered("r1 c1 -", refused("nameless")), elsewhere, m,
		remembered("- c1 a", refused("list")), // the same call, seen elsewhere
		remembered("r1 - z", refused("again")),
		later)
	wantMissing(t, b, "r1", "", z, a, m)
	wantMissing(t, b, "r2", "", later)
	wantMissing(t, b, "", "c1", z, a, m, later)
	wantMissing(t, b, "r9", "c9")
	for _, none := range []func(context.Context, string, string) ([]call.Remembered, error){b.Refused, b.RefusedIn} {
		if got, err := none(t.Context(), "openai", ""); len(got) != 0 || err != nil {
			t.Errorf("nothing was named, and %v, %v was found", got, err)
		}
	}
	wantRuled(t, b, exchange("r1", "c1"), "ran", &ran.Ruling)
}

func testAnswered(t *testing.T, b Backend) {
	one, two, other := remembered("r1 c1 a", refused("a")), remembered("r1 c1 b", refused("b")), remembered("r2 c2 a", refused("a"))
	loose := remembered("r3 - a", refused("a"))
	remember(t, b, one, two, other, loose)
	set := func(conversation string, answered bool, ids ...string) {
		t.Helper()
		if err := b.SetAnswered(t.Context(), "openai", conversation, ids, answered); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want ...call.Remembered) {
		t.Helper()
		wantMissing(t, b, "", "c1", want...)
		wantMissing(t, b, "", "c2", other)
		wantMissing(t, b, "r1", "", one, two) // any request may continue from a response
		wantMissing(t, b, "r3", "", loose)
		wantRuled(t, b, exchange("r1", "c1"), "a", &one.Ruling)
	}
	check(one, two)
	set("c1", true, "a")
	check(two)
	set("c1", true, "a", "b", "unheard of")
	check()
	set("c1", false, "b", "a")
	check(one, two)
	set("c1", true)
	set("", true, "a")
	set("c9", true, "a")
	check(one, two)
	if err := b.SetAnswered(t.Context(), "corp", "c1", []string{"a"}, true); err != nil {
		t.Fatal(err)
	}
	check(one, two)
	set("c1", true, "a", "b")
	remember(t, b, one, two) // as when the response is judged twice
	check()
	wantMissing(t, b.Again(t), "", "c1")
}

// testAnsweredByTheAgent refuses a call that was released before. If the call is read again, the agent has it and sends its output.
// Within its first response, the agent never got it.
func testAnsweredByTheAgent(t *testing.T, b Backend) {
	for _, name := range []string{"r1 c1 a", "r1 c1 b"} {
		remember(t, b, remembered(name, released))
	}
	again, late := remembered("r1 c1 a", refused("again")), remembered("r1 c1 b", refused("late"))
	keepWith(t, b, record.Types.Reread, again)
	remember(t, b, late)
	wantMissing(t, b, "", "c1", late)
	wantMissing(t, b, "r1", "", again, late)
	wantRuled(t, b, exchange("r1", ""), "a", &again.Ruling)
}

func testNoticed(t *testing.T, b Backend) {
	want := remembered("r1 c1 a", refused("a"))
	ran := remembered("r1 c1 ran", refused("ran"))
	ran.Unit = ""
	silent := remembered("r1 c1 s", refused("s"))
	silent.Notice = ""
	remember(t, b, want, ran, silent, remembered("r1 c1 ok", released))
	for _, test := range []struct {
		upstream, notice string
		want             *call.Remembered
	}{
		{"openai", "msg_weir_a", &want},
		{"openai", "msg_weir_ran", &ran},
		{"openai", "msg_weir_ok", nil},
		{"openai", "msg_weir_z", nil},
		{"openai", "", nil},
		{"corp", "msg_weir_a", nil},
	} {
		got, found, err := b.Noticed(t.Context(), test.upstream, test.notice)
		if err != nil {
			t.Fatal(err)
		}
		if found != (test.want != nil) {
			t.Errorf("%s, %q: found %v", test.upstream, test.notice, found)
		}
		if test.want != nil {
			if diff := cmp.Diff(*test.want, got); diff != "" {
				t.Errorf("%q (-want +got):\n%s", test.notice, diff)
			}
		}
	}
}

// oddIDs are different ids. A database could take some of them for equal, or be unable to store them.
var oddIDs = []string{
	"a", "A", "a ", " a", "a\x00", "a\x00b", "a\x00c", "\x00", "\xff", "\xfe", "\ufffd", "a\xed\xa0\xbd", "é", "e\u0301",
	`"`, `"a"`, `"a\x00"`, `\x00`, "%", "_", "*", "?", "'; DROP TABLE kept_rulings; --", "1", "01", "1.0", "NULL",
	strings.Repeat("x", 3000), strings.Repeat("x", 3000) + "y", strings.Repeat("x", 3000) + "\x00", strings.Repeat("\xff", 20_000),
}

func testOddIDs(t *testing.T, b Backend) {
	var all []call.Remembered
	for _, id := range oddIDs {
		r := call.Ruling{Code: id, Reason: id, Rule: id, Policy: id}
		all = append(all, call.Remembered{
			Upstream: "openai", Response: id, Conversation: id, WireID: id, Unit: id, Notice: id, Tool: id, Ruling: r,
		})
	}
	remember(t, b, all...)
	for _, want := range all {
		for _, x := range []call.Exchange{exchange(want.Response, ""), exchange("", want.Conversation), exchange("", "")} {
			wantRuled(t, b, x, want.WireID, &want.Ruling)
		}
		wantMissing(t, b, want.Response, want.Conversation, want)
		got, _, err := b.Noticed(t.Context(), "openai", want.Notice)
		if err != nil || !cmp.Equal(want, got) {
			t.Errorf("noticed by %.40q: %v", want.Notice, err)
		}
		if err := b.SetAnswered(t.Context(), "openai", want.Conversation, []string{want.WireID}, true); err != nil {
			t.Fatal(err)
		}
		wantMissing(t, b, "", want.Conversation)
	}
}
