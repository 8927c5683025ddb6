package proxy

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
)

// A Page is something that weir says of itself.
type Page struct {
	Handler http.Handler
	// Open says that whoever reaches the door may see it.
	Open bool
	// Token opens a page that is not open, as a bearer token. "": whoever reaches the door may see the page if the door has no clients,
	// and nobody if it has. The key of a client never opens one: an agent has it.
	Token string
}

// page serves one of weir's own pages. Nobody writes to them.
func (q *asking) page() {
	if q.R.Method != http.MethodGet && q.R.Method != http.MethodHead {
		q.fail(&failure{status: http.StatusNotFound, message: q.door.routes()})
		return
	}
	out := &noted{q.W, q}
	q.own.Handler.ServeHTTP(out, q.R)
	out.WriteHeader(http.StatusOK) // if nothing was said
}

// visit says why a page is not shown; nil: it is.
func (q *asking) visit() *failure {
	switch {
	case q.own.Open, q.own.Token == "" && !q.door.admission.HasClients():
		return nil
	case q.own.Token == "":
		return &failure{status: http.StatusForbidden, message: pageClosed}
	}
	scheme, given, _ := strings.Cut(q.R.Header.Get("Authorization"), " ")
	want, got := sha256.Sum256([]byte(q.own.Token)), sha256.Sum256([]byte(given))
	if strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(want[:], got[:]) == 1 {
		return nil
	}
	return &failure{status: http.StatusUnauthorized, message: pageLocked}
}

// Why a page is not shown.
const (
	pageClosed = "this page shows what all clients of weir do, so a client's key does not open it; " +
		"set metrics.token in weir.yaml, and send it as a bearer token"
	pageLocked = "this page needs the token that metrics.token in weir.yaml names; send it as a bearer token"
)

// noted is a response of which the exchange knows the status.
type noted struct {
	http.ResponseWriter
	q *asking
}

// WriteHeader implements http.ResponseWriter. Only the first status counts.
func (n *noted) WriteHeader(status int) {
	if n.q.Status == 0 {
		n.q.SendStatus(status)
	}
}

// Write implements http.ResponseWriter.
func (n *noted) Write(p []byte) (int, error) {
	n.WriteHeader(http.StatusOK)
	return n.ResponseWriter.Write(p)
}

// greeting is what stands at the root.
func greeting(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(`{"name":"weir","status":"ok"}` + "\n")) // a client that is gone needs no greeting
}

// healthSegment is the page that says that weir lives.
const healthSegment = "healthz"

// ownPage finds the page that a path asks for; nil: none.
func (d *Door) ownPage(first, rest string) *Page {
	if page, is := d.cfg.Pages[first]; is && rest == "/" {
		return &page
	}
	if first == "" || first == healthSegment && rest == "/" {
		return &Page{Handler: http.HandlerFunc(greeting), Open: true}
	}
	return nil
}
