package proxy

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
)

// A Page is one of weir's own pages, such as its metrics.
type Page struct {
	Handler http.Handler
	// Open says that everybody who reaches the door may see it.
	Open bool
	// Token is the bearer token for a page that is not open. "": everybody who reaches the door may see the page if no clients are
	// configured; else nobody may. A client's key never opens a page: agents have these keys.
	Token string
}

// page serves one of weir's own pages. They can only be read.
func (q *asking) page() {
	if q.R.Method != http.MethodGet && q.R.Method != http.MethodHead {
		q.fail(&failure{status: http.StatusNotFound, message: q.door.routes()})
		return
	}
	out := &noted{q.W, q}
	q.own.Handler.ServeHTTP(out, q.R)
	out.WriteHeader(http.StatusOK) // if the handler wrote nothing
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

// Reasons for which a page is not shown.
const (
	pageClosed = "this page shows what all clients of weir do, so a client's key does not open it; " +
		"set metrics.token in weir.yaml, and send it as a bearer token"
	pageLocked = "this page needs the token that metrics.token in weir.yaml names; send it as a bearer token"
)

// noted is a response writer that notes the status in the exchange.
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

// greeting serves the root and healthz.
func greeting(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(`{"name":"weir","status":"ok"}` + "\n")) // fails only if the client is gone
}

// healthSegment is the path of the page that says that weir is running.
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
