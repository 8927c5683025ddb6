package console

import (
	"maps"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// TestLink follows links: each works once, and soon.
func TestLink(t *testing.T) {
	o := newOffice(t)
	link, late := o.console.Link(), o.console.Link()
	w := o.send(http.MethodHead, link, "", "") // a program that only looks does not use it up
	expect.Equal(t, len(w.Result().Cookies()), 0, "cookies of a HEAD")
	w = o.get(link)
	expect.Equal(t, w.Code, http.StatusSeeOther, "followed")
	c := w.Result().Cookies()[0]
	expect.Equal(t, c.HttpOnly && c.SameSite == http.SameSiteStrictMode && c.Path == "/" && c.Domain == "", true, c)
	w = o.get(link)
	expect.Equal(t, w.Code, http.StatusForbidden, "followed twice")
	expect.Equal(t, len(w.Result().Cookies()), 0, "cookies")
	expect.Equal(t, o.get("/login?token=x").Code, http.StatusForbidden, "guessed")
	o.now = o.now.Add(linkLasts)
	expect.Equal(t, o.get(late).Code, http.StatusForbidden, "too late")

	o.cookie = c
	expect.Equal(t, o.get("/approvals").Code, http.StatusOK, "logged in")
	o.now = o.now.Add(loginLasts)
	expect.Equal(t, o.get("/approvals").Code, http.StatusUnauthorized, "long after")
}

// TestNewLinksReplaceOld bounds the links that nobody follows.
func TestNewLinksReplaceOld(t *testing.T) {
	o := newOffice(t)
	first := o.console.Link()
	for range maxLinks {
		o.console.Link()
	}
	expect.Equal(t, o.get(first).Code, http.StatusForbidden, "the first of many")
	expect.Equal(t, o.get(o.console.Link()).Code, http.StatusSeeOther, "the last of many")
}

func TestLoginByCode(t *testing.T) {
	o := newOffice(t)
	login := func(body string) (int, string) {
		w := o.send(http.MethodPost, "/login", "application/x-www-form-urlencoded", body)
		return w.Code, w.Header().Get("Location")
	}
	for _, body := range []string{"", "code=", "code=x"} {
		status, _ := login(body)
		expect.Equal(t, status, http.StatusForbidden, body)
	}
	code := o.member.Secret.Code(time.Now())
	status, to := login("next=//evil.example/approvals&code=" + code)
	expect.Equal(t, status, http.StatusSeeOther, "the code")
	expect.Equal(t, to, "/approvals", "leads to")
	for path, want := range map[string]string{
		"/approvals/apr_1": "/approvals/apr_1", "/approvals//evil.example": "/approvals", "https://evil.example": "/approvals",
		"/approvals/apr_1/votes": "/approvals", "": "/approvals",
	} {
		expect.Equal(t, next(path), want, path)
	}
}

// TestStrangers asks for everything without a login, with a wrong one, by another name, and from another site.
func TestStrangers(t *testing.T) {
	o := newOffice(t)
	r := o.wait(`{"secret":"plan"}`, nil)
	vote := `{"decision":"approve","display":"` + string(r.Display) + `"}`
	ask := func(what string, want int, change func(*http.Request)) {
		t.Helper()
		for _, path := range []string{"/approvals", "/approvals/" + r.ID, "/api/v1/approvals", "/api/v1/approvals/" + r.ID} {
			w := o.send(http.MethodGet, path, "", "", change)
			expect.Equal(t, w.Code, want, what+" "+path)
			expect.Text(t, w.Body.String(), what, "!plan", "!make deploy", "!"+string(r.Display))
		}
		for _, path := range []string{"/approvals/" + r.ID + "/votes", "/api/v1/approvals/" + r.ID + "/votes"} {
			expect.Equal(t, o.send(http.MethodPost, path, "application/json", vote, change).Code, want, what+" "+path)
		}
	}
	ask("no cookie", http.StatusUnauthorized, func(*http.Request) {})
	ask("another cookie", http.StatusUnauthorized, func(r *http.Request) { r.AddCookie(&http.Cookie{Name: cookie, Value: "x"}) })
	o.enter()
	for _, host := range []string{"evil.example", "127.0.0.1:4000", "localhost:4000", "weir.localhost.evil.example", "[::1]:4000"} {
		ask("by the name "+host, http.StatusMisdirectedRequest, func(r *http.Request) { r.Host = host })
	}
	for what, header := range map[string][2]string{
		"another site":   {"Sec-Fetch-Site", "cross-site"},
		"another port":   {"Sec-Fetch-Site", "same-site"},
		"another origin": {"Origin", "http://weir.localhost:4001"},
		"no origin":      {"Origin", "null"},
	} {
		w := o.send(http.MethodPost, "/api/v1/approvals/"+r.ID+"/votes", "application/json", vote,
			func(r *http.Request) { r.Header.Set(header[0], header[1]) })
		expect.Equal(t, w.Code, http.StatusForbidden, what)
		expect.Text(t, w.Body.String(), what, "cross_origin")
	}
	expect.Equal(t, len(o.read(r.ID).Votes), 0, "votes")
}

func TestHeaders(t *testing.T) {
	o := newOffice(t).enter()
	r := o.wait(`{}`, nil)
	for _, path := range []string{"/", "/login", "/style.css", "/approvals", "/approvals/" + r.ID, "/api/v1/approvals", "/nowhere"} {
		h := o.get(path).Header()
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
				"require-trusted-types-for 'script'; trusted-types 'none'",
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			expect.Equal(t, h.Get(name), want, path+" "+name)
		}
	}
}

func TestList(t *testing.T) {
	o := newOffice(t).enter()
	expect.Text(t, o.get("/approvals").Body.String(), "nothing waits", "No call waits for a person.")
	expect.Equal(t, o.looked, listLasts, "looked")
	r := o.wait(`{"to":"dev"}`, nil)
	expect.Text(t, o.get("/approvals").Body.String(), "the page", `href="/approvals/`+r.ID+`"`, "Bash", "!No call waits")
	expect.Text(t, o.get("/api/v1/approvals").Body.String(), "the list", r.ID, `"state":"pending"`, `!"args"`)
	expect.Text(t, o.get("/api/v1/approvals?state=denied").Body.String(), "denied ones", "!"+r.ID)
	expect.Equal(t, o.get("/api/v1/approvals?state=odd").Code, http.StatusUnprocessableEntity, "an unknown state")
	w := o.get("/api/v1/approvals/" + r.ID)
	expect.Text(t, w.Body.String(), "one", `"args":{"to":"dev"}`)
	tag := w.Header().Get("ETag")
	again := o.send(http.MethodGet, "/api/v1/approvals/"+r.ID, "", "", func(r *http.Request) { r.Header.Set("If-None-Match", tag) })
	expect.Equal(t, again.Code, http.StatusNotModified, "unchanged")
	expect.Equal(t, o.get("/approvals/apr_none").Code, http.StatusNotFound, "unknown")
}

// TestInterfaceIsAsWritten compares the server with api/openapi.yaml.
func TestInterfaceIsAsWritten(t *testing.T) {
	text, err := os.ReadFile("../../../api/openapi.yaml")
	expect.OK(t, err)
	var file struct {
		Paths      map[string]map[string]any
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct{ Enum []string }
				Enum       []string
			}
		}
	}
	expect.OK(t, yaml.Unmarshal(text, &file))
	var written, served []string
	for path, methods := range file.Paths {
		for method := range methods {
			if method != "parameters" {
				written = append(written, strings.ToUpper(method)+" "+path)
			}
		}
	}
	for _, r := range (&Console{}).routes() {
		if strings.HasPrefix(r.path, "/api/") {
			served = append(served, r.method+" "+r.path)
		}
	}
	expect.Same(t, sorted(written), sorted(served))

	schemas := file.Components.Schemas
	for name, v := range map[string]any{"Approval": view{}, "Ballot": ballot{}, "Error": problem{}, "Actor": actor{}} {
		var has []string
		for f := range reflect.TypeOf(v).Fields() {
			member, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			has = append(has, member)
		}
		expect.Same(t, slices.Sorted(maps.Keys(schemas[name].Properties)), sorted(has))
	}
	names := []string{"not_logged_in", "cross_origin", "wrong_host", "too_large", "not_json", "unavailable"}
	for _, o := range outcomes {
		names = append(names, o.name)
	}
	expect.Same(t, sorted(schemas["Error"].Properties["error"].Enum), slices.Compact(sorted(names)))
	var all []string
	for _, s := range states {
		all = append(all, string(s))
	}
	expect.Same(t, sorted(schemas["State"].Enum), sorted(all))
}

func sorted(all []string) []string { return slices.Sorted(slices.Values(all)) }
