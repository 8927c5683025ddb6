package clients

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weir-gate/weir/internal/weirtest/expect"
	"github.com/weir-gate/weir/internal/weirtest/fold"
	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// check compares what the client has with what it should have.
func (p performance[T]) check(t *testing.T, asked []scripted.Request) {
	want := p.scene.Want(p.kind)
	p.checkError(t, want)
	expect.NoDiff(t, cmp.Diff(want.Executed, p.result.Executed, cmpopts.EquateEmpty()), "executed calls")
	if want.Err == nil {
		p.checkTurns(t, want)
	}
	if err := p.suite.CheckEvents(p.result.Events, want.Err == nil); err != nil && !(want.Unlike && errors.Is(err, fold.ErrUnlike)) {
		t.Error(err)
	}
	if bytes.Contains(p.result.output, []byte(Marker)) {
		t.Errorf("the client got something of what is forbidden:\n%s", p.result.output)
	}
	p.checkRequests(t, asked, want)
}

func (p performance[T]) checkError(t *testing.T, want Outcome[T]) {
	got := p.result.Error
	if (got == nil) != (want.Err == nil) || got != nil && !want.Err.matches(*got) {
		t.Errorf("the SDK raised %+v, want %+v", got, want.Err)
	}
	if n := len(p.result.Responses); want.Err != nil && n != 1 {
		t.Errorf("the SDK tried %d times, want 1", n)
	}
}

// matches says whether got is as r says, which leaves open what is empty.
func (r Raised) matches(got Raised) bool {
	return (r.Name == "" || r.Name == got.Name) && (r.Status == 0 || r.Status == got.Status) &&
		(r.Type == "" || r.Type == got.Type) && (r.Code == "" || r.Code == got.Code) && strings.Contains(got.Message, r.Message)
}

func (p performance[T]) checkTurns(t *testing.T, want Outcome[T]) {
	turns := p.result.Turns
	wanted := p.turns(want)
	if len(turns) != len(wanted) {
		t.Errorf("the conversation has %d turns, want %d", len(turns), len(wanted))
		return
	}
	for i := range wanted {
		expect.NoDiff(t, cmp.Diff(wanted[i], turns[i].Turn, cmpopts.EquateEmpty()), "turn %d", i)
	}
	if u := turns[0].Usage; !want.Broken && (u.Input != InputTokens || u.Output != OutputTokens) {
		t.Errorf("first turn: usage %+v, want %d and %d", u, InputTokens, OutputTokens)
	}
	if p.suite.CheckTurns == nil {
		return
	}
	got := make([]T, len(turns))
	for i, turn := range turns {
		got[i] = turn.Turn
	}
	expect.Is(t, p.suite.CheckTurns(got), nil)
}

// turns are all that a client should have.
func (p performance[T]) turns(want Outcome[T]) []T {
	if want.Later == nil {
		return []T{want.Turn, p.suite.Last}
	}
	return append([]T{want.Turn}, want.Later...)
}

// checkRequests looks at what reached the model: not more than it should, nothing forbidden, and no key of weir's.
func (p performance[T]) checkRequests(t *testing.T, asked []scripted.Request, want Outcome[T]) {
	number := want.Asked
	switch number {
	case 0:
		number = len(p.turns(want))
	case None:
		number = 0
	}
	expect.Equal(t, len(asked), number, "the model was asked %d times, want %d", len(asked), number)
	for i, r := range asked {
		if bytes.Contains(r.Body, []byte(Marker)) {
			t.Errorf("request %d tells the model what is forbidden: %s", i, r.Body)
		}
		expect.Is(t, p.checkKey(credentialsOf(r)), nil, "request %d", i)
		expect.Equal(t, r.Header.Get("X-Weir-Key"), "", "request %d has weir's own key", i)
	}
	for _, words := range want.Told {
		if len(asked) == 0 || !slices.ContainsFunc(asked[1:], func(r scripted.Request) bool { return tells(r.Body, words) }) {
			t.Errorf("no request tells the model %q", words)
		}
	}
}

// tells says whether a text is in a body: in a string of JSON, or in JSON in such a string.
func tells(body []byte, text string) bool {
	inString := func(s string) string { return strings.TrimSuffix(strings.TrimPrefix(Quote(s), `"`), `"`) }
	once := inString(text)
	return bytes.Contains(body, []byte(once)) || bytes.Contains(body, []byte(inString(once)))
}

// checkKey wants the model to be shown one key: the client's own, where SDKs differ in where they put it, or the one that
// weir puts in its place, where the API looks for it.
func (p performance[T]) checkKey(sent map[string]string) error {
	header, key := p.suite.KeyHeader(p.kind), UpstreamKey
	if p.scene.Door != Keyed && p.kind.Shows != nil {
		return p.kind.Shows(sent)
	}
	if p.scene.Door != Keyed {
		key = apiKey
		for header = range sent {
		}
	}
	if header == "Authorization" {
		key = "Bearer " + key
	}
	if diff := cmp.Diff(map[string]string{header: key}, sent); diff != "" {
		return fmt.Errorf("credentials (-want +got):\n%s", diff)
	}
	return nil
}

// credentialsOf are all that a request shows to be let in: headers, and what its address has.
func credentialsOf(r scripted.Request) map[string]string {
	sent := map[string]string{}
	for _, name := range []string{"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key"} {
		if values := r.Header.Values(name); len(values) > 0 {
			sent[name] = strings.Join(values, ", ")
		}
	}
	query, err := url.ParseQuery(r.RawQuery)
	if err != nil {
		sent["query"] = r.RawQuery // it shows in the difference
	}
	for _, name := range []string{"key", "access_token", "oauth_token"} {
		if values := query[name]; len(values) > 0 {
			sent[name] = strings.Join(values, ", ")
		}
	}
	return sent
}
