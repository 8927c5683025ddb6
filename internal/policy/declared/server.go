// Package declared describes the MCP servers that a policy declares: how each is reached, and with which credentials.
package declared

import (
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// These are the types of servers.
const (
	Stdio = "stdio" // a process that weir starts
	HTTP  = "http"  // Streamable HTTP
	SSE   = "sse"   // the older HTTP with server-sent events
)

// A Server is a declared MCP server. Its texts are as written, with ${NAME} in them, until Expand replaces the variables.
type Server struct {
	ID   string
	Line int    // of its declaration, for messages
	Type string // one of the constants
	// Timeout is how long to wait for a response; never 0.
	Timeout time.Duration

	// These are for the type stdio.
	Command string
	Args    []string
	Env     EnvLists
	Dir     string // the folder in which the process starts; "": weir's own

	// These are for the types http and sse.
	URL            string         // http or https, without user and fragment
	TLSFingerprint string         // "sha256:" and hex of the only accepted certificate; "": any that the system trusts
	AllowAddresses []netip.Prefix // may be dialled even if they are link-local or a cloud's metadata
	Auth           Auth
}

// PublicAddr is the address of the server for the record: its program, or its URL without parts that could be secret. "": the URL
// is not known without the environment.
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

// EnvLists say which variables of the environment a process gets. Names are globs, in which * matches any run of characters.
type EnvLists struct {
	Allow []string          // nil: all
	Deny  []string          // wins over Allow
	Set   map[string]string // by exact name, whatever the lists say
}

// These are the types of credentials.
const (
	AuthNone        = "none"
	AuthBearer      = "bearer"
	AuthBasic       = "basic"
	AuthAPIKey      = "api_key"
	AuthPassthrough = "passthrough" // the caller's own credential is sent on
	AuthOAuth       = "oauth_client_credentials"
)

// These are the locations of an API key in a request.
const (
	InHeader = "header"
	InQuery  = "query"
	InCookie = "cookie"
)

// Auth is the credential that weir sends to a server.
type Auth struct {
	Type string // one of the constants; never ""

	Token string // for bearer

	Username, Password string // for basic

	In, Name, Value string // for api_key

	// These are for oauth_client_credentials.
	TokenURL     string
	ClientID     string
	ClientSecret string
	Scopes       []string
	Resource     string // the resource that the token is for (RFC 8707); "": not configured
}

// DefaultTimeout is the Timeout if a declaration sets none.
const DefaultTimeout = 10 * time.Minute

// Address is the address of the server for people and the record: the program, or the URL as written but without its query. It
// contains no credential.
func (s Server) Address() string {
	if s.Type == Stdio {
		return s.Command
	}
	return withoutQuery(s.URL)
}
