package console

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/approval/card"
	"github.com/weir-gate/weir/internal/text/inert"
)

//go:embed page.html style.css
var files embed.FS

var pages = template.Must(template.ParseFS(files, "page.html"))

// A page is what a template shows.
type page struct {
	Title, Next, Trouble, Refresh string
	Items                         []item
	One                           item
	Form                          ballot // what somebody has filled in; a code is never shown again
}

// An item is a request as people see it: every text is inert.
type item struct {
	view
	Needed      string // whose votes a yes needs
	Args        []argument
	Findings    []string
	Changes     []changed
	Part, Parts int // from 1 on
	Pending     bool
	AsksCode    bool
	Unseen      bool // not all parts were shown
}

// listLasts is how long a list is looked at: it refreshes itself before that.
const listLasts = 15 * time.Second

func render(w http.ResponseWriter, status int, name string, p page) {
	var out bytes.Buffer
	if err := pages.ExecuteTemplate(&out, name, p); err != nil {
		http.Error(w, "the page cannot be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes()) // whoever asked may be gone
}

func style(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, "style.css") }

func itemOf(r approval.Request) item {
	v := viewOf(r, false)
	for _, text := range []*string{&v.Server, &v.Tool, &v.Folder, &v.Provider, &v.Model, &v.Reason, &v.Actor.Employee, &v.Actor.Team,
		&v.Actor.Key, &v.Actor.Session} {
		*text = inert.Text(*text, approval.MaxReason)
	}
	v.Rules = slices.Clone(v.Rules)
	for i := range v.Rules {
		v.Rules[i] = inert.Text(v.Rules[i], approval.MaxReason)
	}
	for i := range v.Votes {
		v.Votes[i].User, v.Votes[i].Reason = inert.Text(v.Votes[i].User, nameLength), inert.Text(v.Votes[i].Reason, approval.MaxReason)
	}
	var needed []string
	for _, d := range v.Demands {
		needed = append(needed, inert.Text(fmt.Sprintf("%d of %s", d.Votes, strings.Join(d.Approvers, ", ")), approval.MaxReason))
	}
	return item{
		view: v, Needed: strings.Join(needed, "; "), Pending: r.State == approval.Pending, AsksCode: v.StepUp != approval.NoFactor,
	}
}

func (c *Console) listPage(w http.ResponseWriter, r *http.Request, _ *login) {
	p := page{Title: "Approvals", Refresh: "10"}
	all, err := c.pick(r.Context(), approval.Filter{States: []approval.State{approval.Pending}, Limit: listed})
	if err != nil {
		p.Trouble = sentence(err)
		render(w, http.StatusServiceUnavailable, "list", p)
		return
	}
	c.cfg.Desk.Looked(listLasts)
	for _, q := range all {
		p.Items = append(p.Items, itemOf(q))
	}
	render(w, http.StatusOK, "list", p)
}

func (c *Console) cardPage(w http.ResponseWriter, r *http.Request, who *login) {
	c.card(w, r, who, http.StatusOK, page{Form: ballot{Scope: approval.Once}})
}

// card shows one request, and a part of its arguments.
func (c *Console) card(w http.ResponseWriter, r *http.Request, who *login, status int, p page) {
	q, err := c.find(r)
	if err != nil {
		status, _ := statusOf(err)
		render(w, status, "trouble", page{Title: "Approvals", Trouble: sentence(err)})
		return
	}
	one, all, v := itemOf(q), parts(q), card.Of(q)
	one.Parts, one.Part = len(all), 1
	if n, err := strconv.Atoi(r.URL.Query().Get("part")); err == nil && n >= 1 && n <= len(all) {
		one.Part = n
	}
	for _, a := range all[one.Part-1] {
		one.Args = append(one.Args, argumentOf(a))
	}
	one.Findings, one.Changes = findings(v), changes(v)
	who.show(q.Display, one.Part-1)
	one.Unseen = unseen(who, q)
	p.Title, p.One = one.Tool, one
	render(w, status, "card", p)
}

func (c *Console) votePage(w http.ResponseWriter, r *http.Request, who *login) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	b := ballot{
		Decision: r.PostFormValue("decision"), Scope: approval.Scope(r.PostFormValue("scope")), Reason: r.PostFormValue("reason"),
		Display: approval.Digest(r.PostFormValue("display")), Code: r.PostFormValue("code"),
	}
	if _, _, err := c.cast(r, who, b, inBrowser); err != nil {
		status, _ := statusOf(err)
		c.card(w, r, who, status, page{Trouble: sentence(err), Form: b})
		return
	}
	http.Redirect(w, r, "/approvals/"+r.PathValue("id"), http.StatusSeeOther)
}

// Whose says in whose name the call is made.
func (i item) Whose() string {
	var all []string
	for _, part := range []struct{ what, name string }{
		{"", i.Actor.Employee}, {"team ", i.Actor.Team}, {"key ", i.Actor.Key}, {"session ", i.Actor.Session},
	} {
		if part.name != "" {
			all = append(all, part.what+part.name)
		}
	}
	return strings.Join(all, ", ")
}

// Following is the part after the one that is shown.
func (i item) Following() int { return i.Part + 1 }

// Former is the part before the one that is shown.
func (i item) Former() int { return i.Part - 1 }
