package declared

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// authKeys are the keys of each type of credentials.
var authKeys = map[string]struct{ required, optional []string }{
	AuthNone:        {},
	AuthBearer:      {required: []string{"token"}},
	AuthBasic:       {required: []string{"username", "password"}},
	AuthAPIKey:      {required: []string{"name", "value"}, optional: []string{"in"}},
	AuthPassthrough: {},
	AuthOAuth:       {required: []string{"token_url", "client_id", "client_secret"}, optional: []string{"scopes", "resource"}},
}

var (
	authWords = yamlfile.Choice{
		What: "a type of credentials", Words: []string{AuthNone, AuthBearer, AuthBasic, AuthAPIKey, AuthPassthrough, AuthOAuth},
	}
	placeWords = yamlfile.Choice{What: "a place for an API key", Words: []string{InHeader, InQuery, InCookie}}
	authShape  = yamlfile.Shape{Required: []string{"type"}, Optional: allAuthKeys()}
)

func allAuthKeys() (all []string) {
	for _, word := range authWords.Words {
		all = append(all, slices.Concat(authKeys[word].required, authKeys[word].optional)...)
	}
	return all
}

func (r reader) auth(n *yamlfile.Node) Auth {
	a := Auth{Type: AuthNone}
	if !r.Mapping(n, authShape) || n.Get("type") == nil {
		return a
	}
	word, known := r.Word(n.Get("type"), authWords)
	if !known {
		return a
	}
	a.Type = word
	keys := authKeys[word]
	for _, e := range n.Entries {
		if slices.Contains(authShape.Optional, e.Name) && !slices.Contains(keys.required, e.Name) && !slices.Contains(keys.optional, e.Name) {
			r.Add(e.Value, fmt.Sprintf("the key %s is for auth of type %s, and this one is of type %s", e.Name, authWith(e.Name), word),
				"remove the key, or change the type")
		}
	}
	for _, key := range keys.required {
		if n.Get(key) == nil {
			r.Add(n, fmt.Sprintf("auth of type %s needs the key %s", word, key), "add it")
		}
	}
	r.credentials(n, &a)
	return a
}

// authWith is the type of credentials that has a key: each key belongs to one type.
func authWith(key string) string {
	at := slices.IndexFunc(authWords.Words, func(word string) bool {
		return slices.Contains(authKeys[word].required, key) || slices.Contains(authKeys[word].optional, key)
	})
	return authWords.Words[at]
}

func (r reader) credentials(n *yamlfile.Node, a *Auth) {
	for key, field := range map[string]*string{
		"token": &a.Token, "username": &a.Username, "password": &a.Password, "value": &a.Value, "client_id": &a.ClientID,
		"client_secret": &a.ClientSecret,
	} {
		if v := n.Get(key); v != nil {
			*field = r.secret(v)
		}
	}
	if a.Type == AuthBasic && strings.Contains(a.Username, ":") && !hasVariable(a.Username) {
		r.Add(n.Get("username"), "a user's name has no colon", "write what stands before the colon, and the rest as password")
	}
	if a.Type == AuthAPIKey {
		r.place(n, a)
	}
	if v := n.Get("token_url"); v != nil {
		if a.TokenURL = r.url(v); !hasVariable(a.TokenURL) && inTheClear(a.TokenURL) {
			r.Add(v, errClear.message, errClear.cure)
		}
	}
	if v := n.Get("resource"); v != nil {
		a.Resource = r.url(v)
	}
	if v := n.Get("scopes"); v != nil {
		a.Scopes = r.scopes(v)
	}
}

// secret parses a text that may be a credential. Messages do not repeat it.
func (r reader) secret(n *yamlfile.Node) string {
	text := r.text(n, "a text, or a variable such as ${NAME}")
	if !printable(text) {
		r.Add(n, "a credential is one line without control characters", "write it without them")
		return ""
	}
	return text
}

var (
	headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
	// ownHeaders are the headers that HTTP and MCP need for themselves.
	ownHeaders = []string{
		"accept", "accept-encoding", "connection", "content-encoding", "content-length", "content-type", "cookie", "host", "keep-alive",
		"last-event-id", "mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id", "proxy-authorization", "proxy-connection",
		"te", "trailer", "transfer-encoding", "upgrade",
	}
)

// place parses where a request has the API key.
func (r reader) place(n *yamlfile.Node, a *Auth) {
	a.In = InHeader
	if v := n.Get("in"); v != nil {
		a.In, _ = r.Word(v, placeWords)
	}
	v := n.Get("name")
	if v == nil {
		return
	}
	a.Name, _ = r.String(v, "a name")
	switch {
	case a.Name == "":
	case a.In != InQuery && !headerName.MatchString(a.Name):
		r.Add(v, yamlfile.Quote(a.Name)+" is not the name of a header or cookie", "use letters, digits and dashes")
	case a.In == InHeader && slices.Contains(ownHeaders, strings.ToLower(a.Name)):
		r.Add(v, "the header "+yamlfile.Quote(a.Name)+" is not free for a credential", "name the one that the server asks for, such as X-API-Key")
	case !clean(a.Name):
		r.Add(v, yamlfile.Quote(a.Name)+" is not the name of a parameter", "write it without blanks and control characters")
	}
}

// scopes parses OAuth scopes. They must not have blanks, which separate scopes.
func (r reader) scopes(n *yamlfile.Node) (out []string) {
	items, _ := r.OneOrMore(n, "a scope")
	for _, item := range items {
		if !clean(item.Text) || strings.ContainsAny(item.Text, `"\`) {
			r.Add(item, yamlfile.Quote(item.Text)+" is not one scope", "write each scope as a list item")
		}
		out = append(out, item.Text)
	}
	return out
}
