package console

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/text/inert"
)

//go:embed page.html style.css
var files embed.FS

var pages = template.Must(template.ParseFS(files, "page.html"))

// A page is what a template shows.
type page struct {
	Title, Next, Trouble, Refresh string
	Local                         bool // one person uses this machine
	Items                         []item
	One                           item
}

// An item is a request as people see it: every text is inert.
type item struct {
	view
	Lines   []string // the part that is shown
	Part    int      // from 1 on
	Parts   int
	Pending bool
	Unseen  bool // not all parts were shown
}

// partSize is how much of a call is shown at once.
const partSize = 64 << 10

// listLasts is how long a list is looked at: it refreshes itself before that.
const listLasts = 15 * time.Second

// parts are the texts of a card, cut to what is shown at once.
func parts(k approval.Card) (all []string) {
	text := string(k.Args)
	if len(k.Beside) > 0 {
		text += "\n" + string(k.Beside)
	}
	for len(text) > partSize {
		all, text = append(all, text[:partSize]), text[partSize:]
	}
	return append(all, text)
}

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
	for i := range v.Votes {
		v.Votes[i].Reason = inert.Text(v.Votes[i].Reason, approval.MaxReason)
	}
	return item{view: v, Pending: r.State == approval.Pending}
}

func (c *Console) listPage(w http.ResponseWriter, r *http.Request, who *login) {
	all, err := c.pick(r, who, approval.Filter{States: []approval.State{approval.Pending}, Limit: listed})
	if err != nil {
		render(w, http.StatusServiceUnavailable, "list", page{Title: "Approvals", Trouble: sentence(err), Refresh: "10"})
		return
	}
	c.cfg.Desk.Looked(listLasts)
	p := page{Title: "Approvals", Refresh: "10"}
	for _, q := range all {
		p.Items = append(p.Items, itemOf(q))
	}
	render(w, http.StatusOK, "list", p)
}

func (c *Console) cardPage(w http.ResponseWriter, r *http.Request, who *login) {
	c.card(w, r, who, http.StatusOK, "")
}

// card shows one request, and a part of its arguments.
func (c *Console) card(w http.ResponseWriter, r *http.Request, who *login, status int, trouble string) {
	q, err := c.find(r, who)
	if err != nil {
		status, _ := statusOf(err)
		render(w, status, "list", page{Title: "Approvals", Trouble: sentence(err)})
		return
	}
	one, all := itemOf(q), parts(q.Card)
	one.Parts, one.Part = len(all), 1
	if n, err := strconv.Atoi(r.URL.Query().Get("part")); err == nil && n >= 1 && n <= len(all) {
		one.Part = n
	}
	who.show(q.Display, one.Part-1)
	one.Unseen = !who.saw(q.Display, len(all))
	for line := range strings.SplitSeq(all[one.Part-1], "\n") {
		one.Lines = append(one.Lines, inert.Text(line, len(line)+1))
	}
	render(w, status, "card", page{Title: one.Tool, One: one, Trouble: trouble})
}

func (c *Console) votePage(w http.ResponseWriter, r *http.Request, who *login) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	_, _, err := c.cast(r, who, ballot{
		Decision: r.PostFormValue("decision"), Scope: approval.Scope(r.PostFormValue("scope")), Reason: r.PostFormValue("reason"),
		Display: approval.Digest(r.PostFormValue("display")), Code: r.PostFormValue("code"),
	}, inBrowser)
	if err != nil {
		status, _ := statusOf(err)
		c.card(w, r, who, status, sentence(err))
		return
	}
	http.Redirect(w, r, "/approvals/"+r.PathValue("id"), http.StatusSeeOther)
}

// Following is the part after the one that is shown.
func (i item) Following() int { return i.Part + 1 }
