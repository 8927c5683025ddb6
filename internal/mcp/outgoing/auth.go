package outgoing

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
)

// The types of Auth.
const (
	AuthNone        = "none"
	AuthBearer      = "bearer"
	AuthBasic       = "basic"
	AuthAPIKey      = "api_key"
	AuthPassthrough = "passthrough"
	AuthOAuth       = "oauth_client_credentials"
)

// The locations of an API key in a request.
const (
	InHeader = "header"
	InQuery  = "query"
	InCookie = "cookie"
)

// Auth is how weir authenticates to a server. Fields of types other than Type are ignored.
type Auth struct {
	// Type is one of the constants. "" is none: every credential in a request is removed. With passthrough the caller's Authorization
	// and Cookie are sent unchanged.
	Type string

	Token string // of bearer

	Username, Password string // of basic

	In    string // of api_key: header, query or cookie; "": header
	Name  string // of api_key: the name of the header, parameter or cookie; "" for a header: X-API-Key
	Value string // of api_key

	TokenURL     string // of oauth_client_credentials: https, or http on this machine
	ClientID     string
	ClientSecret string
	Scopes       []string // requested scopes; none: the client's default scopes
	// Resource is the server's name for the authorization server (RFC 8707). "": the server's URL without its query, as MCP requires;
	// "none": no name is sent, for authorization servers that do not accept the parameter.
	Resource string
}

// secrets returns the secrets, in the form in which they are sent, that must not come back from the server.
func (a Auth) secrets() []string {
	switch a.Type {
	case AuthBearer:
		return []string{a.Token}
	case AuthBasic:
		return []string{a.Password, base64.StdEncoding.EncodeToString([]byte(a.Username + ":" + a.Password))}
	case AuthAPIKey:
		return []string{a.Value}
	case AuthOAuth:
		// The token is only known when it is fetched.
		id, secret := url.QueryEscape(a.ClientID), url.QueryEscape(a.ClientSecret)
		return []string{a.ClientSecret, base64.StdEncoding.EncodeToString([]byte(id + ":" + secret))}
	}
	return nil
}

// An authenticator adds the credential to requests.
type authenticator struct {
	passthrough bool
	set         func(req *http.Request, token string) // nil: there is no credential
}

// neverSent says whether a header is only for weir or a proxy, and is never sent to a server.
func neverSent(canonical string) bool {
	return canonical == "Proxy-Authorization" || strings.HasPrefix(canonical, "X-Weir-")
}

// apply removes every credential from a request, except the caller's with passthrough, and adds the one for the server.
func (a authenticator) apply(req *http.Request, token string) {
	for name := range req.Header {
		canonical := textproto.CanonicalMIMEHeaderKey(name)
		if neverSent(canonical) || credentials[canonical] && !a.passthrough {
			delete(req.Header, name)
		}
	}
	if a.set != nil {
		a.set(req, token)
	}
}

// authenticator returns the authenticator, or an error if something that the type needs is missing. Errors quote no value.
func (a Auth) authenticator() (authenticator, error) {
	switch a.Type {
	case "", AuthNone:
		return authenticator{}, nil
	case AuthPassthrough:
		return authenticator{passthrough: true}, nil
	case AuthBearer:
		if err := checkToken(a.Token); err != nil {
			return authenticator{}, fmt.Errorf("token: %w", err)
		}
		return authenticator{set: func(req *http.Request, _ string) { setBearer(req, a.Token) }}, nil
	case AuthBasic:
		if err := a.checkBasic(); err != nil {
			return authenticator{}, err
		}
		return authenticator{set: func(req *http.Request, _ string) { req.SetBasicAuth(a.Username, a.Password) }}, nil
	case AuthAPIKey:
		set, err := a.apiKey()
		return authenticator{set: set}, err
	case AuthOAuth:
		return authenticator{set: setBearer}, nil
	default:
		return authenticator{}, errors.New("the type is none of: none, bearer, basic, api_key, passthrough, oauth_client_credentials")
	}
}

func setBearer(req *http.Request, token string) { req.Header.Set("Authorization", "Bearer "+token) }

func (a Auth) checkBasic() error {
	switch {
	case a.Username == "" && a.Password == "":
		return errors.New("username and password are empty")
	case strings.Contains(a.Username, ":"):
		return errors.New("username: it has a colon in it, which ends it on the way")
	case hasControl(a.Username) || hasControl(a.Password):
		return errors.New("username or password has a control character in it")
	}
	return nil
}

// apiKey returns the function that adds the key to a request, at its location.
func (a Auth) apiKey() (func(*http.Request, string), error) {
	if a.Value == "" {
		return nil, errors.New("value: it is empty")
	}
	switch a.In {
	case "", InHeader:
		return a.headerKey()
	case InQuery:
		if a.Name == "" {
			return nil, errors.New("name: a key in the query needs the name of its parameter")
		}
		return func(req *http.Request, _ string) { req.URL.RawQuery = withParameter(req.URL.RawQuery, a.Name, a.Value) }, nil
	case InCookie:
		if !isToken(a.Name) {
			return nil, errors.New("name: it is no name of a cookie")
		}
		if strings.ContainsFunc(a.Value, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("\",;\\", r) }) {
			return nil, errors.New("value: a character in it cannot stand in a cookie")
		}
		return func(req *http.Request, _ string) { req.Header.Set("Cookie", a.Name+"="+a.Value) }, nil
	default:
		return nil, errors.New("in: it is none of: header, query, cookie")
	}
}

func (a Auth) headerKey() (func(*http.Request, string), error) {
	name := a.Name
	if name == "" {
		name = "X-API-Key"
	}
	canonical := textproto.CanonicalMIMEHeaderKey(name)
	switch {
	case !isToken(name):
		return nil, errors.New("name: it is no name of a header")
	case !credentials[canonical] && !forwarded(canonical, true):
		return nil, errors.New("name: that header is not for credentials")
	case hasControl(a.Value):
		return nil, errors.New("value: it has a control character in it")
	}
	return func(req *http.Request, _ string) { setHeader(req.Header, canonical, a.Value) }, nil
}

// withParameter sets a parameter in a query, and replaces all of its name. The rest is unchanged.
func withParameter(query, name, value string) string {
	var kept []string
	for part := range strings.SplitSeq(query, "&") {
		key, _, _ := strings.Cut(part, "=")
		if plain, err := url.QueryUnescape(key); part == "" || err == nil && plain == name {
			continue
		}
		kept = append(kept, part)
	}
	return strings.Join(append(kept, url.QueryEscape(name)+"="+url.QueryEscape(value)), "&")
}

// checkToken says why a text cannot be a bearer token.
func checkToken(token string) error {
	if token == "" {
		return errors.New("it is empty")
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return errors.New("a character in it cannot stand in a token")
	}
	return nil
}

// hasControl says whether a text would break a header.
func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// isToken says whether a text can be the name of a header or cookie.
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r)
	})
}
