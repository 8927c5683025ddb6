// Package declared is the MCP servers that a policy declares: how each is reached, and with which credentials.
package declared

import (
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// The types of servers.
const (
	Stdio = "stdio" // a process that weir starts
	HTTP  = "http"  // Streamable HTTP
	SSE   = "sse"   // the older HTTP with server-sent events
)

// A Server is a declared MCP server. Its texts are as they are written, with ${NAME} in them, until Expand puts variables in.
type Server struct {
	ID   string
	Line int    // of its declaration, for messages
	Type string // one of the constants
	// Timeout is how long an answer is waited for; never 0.
	Timeout time.Duration

	// Of the type stdio.
	Command string
	Args    []string
	Env     EnvLists
	Dir     string // in which the process starts; "": weir's own

	// Of the types http and sse.
	URL            string         // http or https, without user and fragment
	TLSFingerprint string         // "sha256:" and hex of the only certificate that is taken; "": those that the system trusts
	AllowAddresses []netip.Prefix // that may be dialled though they are link-local or a cloud's metadata
	Auth           Auth
}

// PublicAddr is where the server is, for the record: its program, or its URL without what could be a secret. "": the URL cannot be told
// without the environment.
func (s *Server) PublicAddr() string {
	if s.Type == Stdio {
		return s.Command
	}
	u, err := url.Parse(s.URL)
	if err != nil || strings.Contains(s.URL, "${") {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// EnvLists say which variables of the environment a process gets. Names are globs, in which * stands for any run of characters.
type EnvLists struct {
	Allow []string          // nil: all
	Deny  []string          // wins over Allow
	Set   map[string]string // by exact name, whatever the lists say
}

// The types of credentials.
const (
	AuthNone        = "none"
	AuthBearer      = "bearer"
	AuthBasic       = "basic"
	AuthAPIKey      = "api_key"
	AuthPassthrough = "passthrough" // the caller's own credential goes on
	AuthOAuth       = "oauth_client_credentials"
)

// The places of an API key.
const (
	InHeader = "header"
	InQuery  = "query"
	InCookie = "cookie"
)

// Auth is what weir shows a server.
type Auth struct {
	Type string // one of the constants; never ""

	Token string // of bearer

	Username, Password string // of basic

	In, Name, Value string // of api_key

	// Of oauth_client_credentials.
	TokenURL     string
	ClientID     string
	ClientSecret string
	Scopes       []string
	Resource     string // whom the token is for (RFC 8707); "": it is not said
}

// DefaultTimeout is how long an answer is waited for where a declaration does not say so.
const DefaultTimeout = 10 * time.Minute

// Address is where the server is, for people and the record: the program, or the URL as written and without its query. No
// credential is in it.
func (s Server) Address() string {
	if s.Type == Stdio {
		return s.Command
	}
	return withoutQuery(s.URL)
}
