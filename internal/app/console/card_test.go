package console

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/net/html"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func TestCard(t *testing.T) {
	o := newOffice(t).enter()
	r := o.wait(`{"description":"harmless","command":"rm -r build\ncat p\u0430ypal \u202e","n":[1, 2]}`, func(q *approval.Question) {
		q.Card.Prose, q.Card.Masked, q.Card.Beside = []string{"description"}, true, jsontext.Value(`{"_meta":1}`)
		q.Card.Reason, q.Card.Folder, q.Card.Model = "Look at it.", "/home/ann/p", "m-1"
	})
	expect.Text(t, o.get("/approvals/"+r.ID).Body.String(), "page", "<li>runs rm -r build</li>", "<li>removes build and all below</li>",
		"Argument <code>command</code>", "rm -r build\ncat p<mark>а</mark>ypal <mark>\\u202e</mark>", "U&#43;0430 а looks like a",
		"U&#43;202E is not visible", "[1,2]", "The model says <code>description</code>", "harmless", "Beside the arguments", "_meta",
		"Secrets are not shown.", "Look at it.", "/home/ann/p", "m-1", "<dd>session run-1</dd>", "1 of role:approver", "!\u202e")

	r = o.wait(`{"file_path":"/p/a.go","old_string":"one\ntwo","new_string":"one\n2"}`, nil)
	expect.Text(t, o.get("/approvals/"+r.ID).Body.String(), "an edit", `<span class="old">-two</span>`, `<span class="new">&#43;2</span>`)
	r = o.wait(`{}`, nil)
	expect.Text(t, o.get("/approvals/"+r.ID).Body.String(), "no arguments", "It has no arguments.")
}

// payloads are texts that would do something in a page that does not write them as texts.
var payloads = []string{
	`<script>alert(1)</script>`, `<ScRiPt src=//evil.example></sCrIpT>`, `<img src=x onerror=alert(1)>`, `"><svg onload=alert(1)>`,
	`'><svg/onload=alert(1)>`, `</textarea><script>alert(1)</script>`, `</title><script>alert(1)</script>`, `</pre></code><iframe src=//evil>`,
	`</style><script>alert(1)</script>`, `<!--<script>`, `--><b>x</b>`, `]]><b>x</b>`, `<a href="javascript:alert(1)">x</a>`,
	`javascript:alert(1)`, `" autofocus onfocus="alert(1)`, `' onmouseover='alert(1)`, "` onload=`alert(1)", `<base href=//evil.example>`,
	`<form action=//evil.example><button>Approve`, `<meta http-equiv=refresh content=0;url=//evil.example>`, `{{.One.Display}}`,
	`<link rel=stylesheet href=//evil.example>`, `<math><mtext></form><form>`, `&lt;b&gt;`, "<\x00script>alert(1)</script>", `<template><input name=code>`,
}

// shape are the elements of a page with the names of their attributes, and where they lead.
func shape(t *testing.T, page string) string {
	t.Helper()
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(page))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		token := z.Token()
		switch kind {
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			fmt.Fprintf(&b, "%v %s", kind, token.Data)
			for _, a := range token.Attr {
				b.WriteString(" " + a.Key)
				if a.Key == "action" || a.Key == "href" || a.Key == "src" {
					b.WriteString("=" + strings.SplitN(a.Val, "apr_", 2)[0])
				}
			}
			b.WriteString("\n")
		case html.CommentToken:
			b.WriteString("comment\n")
		}
	}
	return b.String()
}

// TestStrangersTextsAreInert has the texts of strangers in every place: the pages have the same elements as with harmless texts.
func TestStrangersTextsAreInert(t *testing.T) {
	o := newOffice(t).enter()
	pagesWith := func(text string, n int) (string, string, string) {
		quoted, err := jsontext.AppendQuote(nil, text)
		expect.OK(t, err)
		r := o.wait(fmt.Sprintf(`{%s:%s,"n":%d}`, quoted, quoted, n), func(q *approval.Question) {
			k := &q.Card
			k.Tool, k.Server, k.Reason, k.Folder, k.Model, k.Provider, k.Rules = text, text, text, text, text, text, []string{text}
			k.Actor.Team, k.Actor.Key, k.Actor.Employee, k.Beside = text, text, text, jsontext.Value(quoted)
			q.Terms.Demands[0].Rule = text
		})
		list := o.get("/approvals").Body.String()
		voted := o.fill(r.ID, "decision", "approve", "reason", text, "scope", text, "display", text)
		card := o.get("/approvals/" + r.ID).Body.String()
		refusal := o.fill(r.ID, "decision", "deny", "reason", text, "display", string(r.Display))
		expect.Equal(t, fmt.Sprint(voted.Code, refusal.Code), "412 303", "votes")
		return list, shape(t, card), shape(t, voted.Body.String()) + shape(t, o.get("/approvals/"+r.ID).Body.String())
	}
	list, card, voted := pagesWith("harmless", -1)
	for i, p := range payloads {
		gotList, gotCard, gotVoted := pagesWith(p, i)
		expect.Equal(t, shape(t, gotList), shape(t, list), "list with "+p)
		if strings.Contains(p, "\x00") {
			continue // it is marked, so there are more elements
		}
		expect.Equal(t, gotCard, card, "card with "+p)
		expect.Equal(t, gotVoted, voted, "card after a vote with "+p)
	}
}
