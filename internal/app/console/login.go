package console

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/approval"
)

const (
	loginLasts = 12 * time.Hour
	linkLasts  = 5 * time.Minute
	maxLogins  = 1000
	maxLinks   = 16
	maxSeen    = 256 // requests of which a login remembers what it was shown
)

// A login is somebody who looks.
type login struct {
	person approval.Person
	until  time.Time

	mu   sync.Mutex
	seen map[approval.Digest]map[int]bool // parts of large requests that were shown, by display digest
}

// logins are those who are logged in, and the links by which somebody may log in once. They are kept by digests, so that a copy of weir's
// memory is no key. The zero value is empty.
type logins struct {
	mu    sync.Mutex
	byKey map[[32]byte]*login
	links map[[32]byte]time.Time
}

// Link returns the path of a link by which the person at the machine logs in, once and soon.
func (c *Console) Link() string {
	token := rand.Text()
	c.logins.mu.Lock()
	defer c.logins.mu.Unlock()
	if len(c.logins.links) >= maxLinks || c.logins.links == nil {
		c.logins.links = map[[32]byte]time.Time{} // whoever asks so often does not use them
	}
	c.logins.links[sha256.Sum256([]byte(token))] = c.cfg.Now().Add(linkLasts)
	return "/login?token=" + token
}

// follow uses up a link.
func (l *logins) follow(token string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := sha256.Sum256([]byte(token))
	until, found := l.links[key]
	delete(l.links, key)
	return found && now.Before(until)
}

// begin logs a person in and returns the key.
func (l *logins) begin(p approval.Person, now time.Time) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, one := range l.byKey {
		if !now.Before(one.until) {
			delete(l.byKey, key)
		}
	}
	if len(l.byKey) >= maxLogins {
		return "", errTooManyLogins
	}
	if l.byKey == nil {
		l.byKey = map[[32]byte]*login{}
	}
	key := rand.Text()
	l.byKey[sha256.Sum256([]byte(key))] = &login{person: p, until: now.Add(loginLasts), seen: map[approval.Digest]map[int]bool{}}
	return key, nil
}

var errTooManyLogins = errors.New("too many people are logged in; try again later")

// cookie is the name of the cookie. Browsers take a name with __Host- only over https, and not all of them take a secure cookie from
// http on this machine.
const cookie = "weir"

// of returns who sends a request; nil: nobody who is logged in.
func (c *Console) of(r *http.Request) *login {
	sent, err := r.Cookie(cookie)
	if err != nil {
		return nil
	}
	c.logins.mu.Lock()
	defer c.logins.mu.Unlock()
	one := c.logins.byKey[sha256.Sum256([]byte(sent.Value))]
	if one == nil || !c.cfg.Now().Before(one.until) {
		return nil
	}
	return one
}

// known serves programs of those who are logged in.
func (c *Console) known(serve func(http.ResponseWriter, *http.Request, *login)) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		who := c.of(r)
		if who == nil {
			refuse(w, http.StatusUnauthorized, problem{Error: "not_logged_in", Message: "log in at /login, or with weir approvals open"})
			return
		}
		serve(w, r, who)
	}
}

// shown serves pages to those who are logged in, and has the others log in.
func (c *Console) shown(serve func(http.ResponseWriter, *http.Request, *login)) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		who := c.of(r)
		if who == nil {
			renderLogin(w, http.StatusUnauthorized, next(r.URL.Path), "")
			return
		}
		serve(w, r, who)
	}
}

// next is where somebody goes after the login: a page of ours.
func next(path string) string {
	if path == "/approvals" || strings.HasPrefix(path, "/approvals/") && !strings.Contains(path, "//") && !strings.HasSuffix(path, "/votes") {
		return path
	}
	return "/approvals"
}

func renderLogin(w http.ResponseWriter, status int, to, trouble string) {
	render(w, status, "login", page{Title: "Log in", Next: to, Trouble: trouble})
}

// loginPage shows the form, or logs in by a link.
func (c *Console) loginPage(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("token")
	if token == "" || r.Method != http.MethodGet {
		renderLogin(w, http.StatusOK, next(r.URL.Query().Get("next")), "")
		return
	}
	if !c.logins.follow(token, c.cfg.Now()) {
		renderLogin(w, http.StatusForbidden, next(""), "This link was used before, or is too old. Get another with weir approvals open.")
		return
	}
	c.enter(w, r, "", next(""))
}

// login logs in by a code.
func (c *Console) login(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	to, code := next(r.PostFormValue("next")), r.PostFormValue("code")
	if code == "" {
		renderLogin(w, http.StatusForbidden, to, "The code of your authenticator is missing.")
		return
	}
	c.enter(w, r, code, to)
}

// enter logs in the person at the machine, and sets the cookie. It is Strict: no other site makes a browser send it.
func (c *Console) enter(w http.ResponseWriter, r *http.Request, code, to string) {
	var key string
	person, err := c.cfg.Desk.Identify("", code)
	if err == nil {
		key, err = c.logins.begin(person, c.cfg.Now())
	}
	if err != nil {
		status, _ := statusOf(err)
		renderLogin(w, status, to, sentence(err))
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: cookie, Value: key, Path: "/", MaxAge: int(loginLasts / time.Second), HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// show notes that a part of a request was shown.
func (l *login) show(display approval.Digest, part int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	shown := l.seen[display]
	if shown == nil {
		if len(l.seen) >= maxSeen {
			clear(l.seen)
		}
		shown = map[int]bool{}
		l.seen[display] = shown
	}
	shown[part] = true
}

// saw says whether so many parts of a request were all shown.
func (l *login) saw(display approval.Digest, parts int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.seen[display]) >= parts
}
