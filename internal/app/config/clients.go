package config

import (
	"crypto/subtle"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A Client is somebody who may use this weir, and their identity.
type Client struct {
	Key string // the secret that the client sends; "": only its digest is known
	// Digest is that of the key, if Key is "".
	Digest   admission.Digest
	Expires  time.Time // when the key is no longer taken; zero: never
	Created  time.Time // when the key was made; zero: it is not said
	Name     string    // what policies call the key; may be ""
	Employee string
	Team     string
	Org      string
	// SessionHeader is the header in which the client names the session of a request; "": it names none.
	SessionHeader string
	// Source is the file of client_files that has the client; "": the configuration itself.
	Source string
}

// Has says whether a key is the client's.
func (c Client) Has(key string) bool {
	if key == "" {
		return false
	}
	digest, own := admission.DigestOf(key), c.KeyDigest()
	return subtle.ConstantTimeCompare(digest[:], own[:]) == 1
}

// KeyDigest is the digest of the client's key.
func (c Client) KeyDigest() admission.Digest {
	if c.Key != "" {
		return admission.DigestOf(c.Key)
	}
	return c.Digest
}

// ForClients says whether only clients may use this weir.
func (c *Config) ForClients() bool { return len(c.Clients) > 0 || c.ClientFiles != "" }

var (
	clientShape = yamlfile.Shape{Optional: []string{
		"key", "key_hash", "name", "employee", "team", "org", "session_header", "expires", "created",
	}}
	clientKey = regexp.MustCompile(`^[A-Za-z0-9._~-]*$`)
)

// clientsSeen are the clients that were read so far, by what each must have for itself alone, with their positions.
type clientsSeen struct {
	keys  map[admission.Digest]*yamlfile.Node
	names map[string]*yamlfile.Node
}

func (r *loader) clients(cfg *Config, n *yamlfile.Node) {
	items, _ := r.report.List(n)
	for _, item := range items {
		if c, ok := r.client(item, false); ok {
			cfg.Clients = append(cfg.Clients, c)
		}
	}
}

// client reads one client. hashed says that its file may have digests of keys only.
func (r *loader) client(item *yamlfile.Node, hashed bool) (c Client, ok bool) {
	if !r.report.Mapping(item, clientShape) {
		return c, false
	}
	hash := ""
	fields := map[string]*string{
		"key": &c.Key, "key_hash": &hash, "name": &c.Name, "employee": &c.Employee, "team": &c.Team, "org": &c.Org,
		"session_header": &c.SessionHeader,
	}
	for _, e := range item.Entries {
		if field := fields[e.Name]; field != nil {
			*field, _ = r.text(e.Value, "a value")
		}
	}
	r.clientSecret(item, &c, hash, hashed)
	if c.SessionHeader != "" {
		r.sessionHeader(item.Get("session_header"), c.SessionHeader)
	}
	for name, to := range map[string]*time.Time{"expires": &c.Expires, "created": &c.Created} {
		if v := item.Get(name); v != nil {
			r.moment(to, v)
		}
	}
	r.alone(item, c)
	return c, true
}

// clientSecret reads how a client is known: by its key, or by the digest of it.
func (r *loader) clientSecret(item *yamlfile.Node, c *Client, hash string, hashed bool) {
	key, digest := item.Get("key"), item.Get("key_hash")
	const make1 = "weir client add makes both"
	switch {
	case key != nil && digest != nil:
		r.report.Add(digest, "a client has a key or a key_hash, not both", "remove the key")
	case key == nil && digest == nil:
		r.report.Add(item, "the client has no key", "add key_hash, the SHA-256 of its key; "+make1)
	case key != nil && hashed:
		r.report.Add(key, "a file of client_files has no keys, only their digests", "write key_hash; "+make1)
	case key != nil && c.Key != "":
		r.clientKey(key, c.Key)
	case digest != nil && hash != "":
		read, ok := admission.ParseDigest(hash)
		if !ok {
			r.report.Add(digest, "this is not the digest of a key", "write sha256: and 64 hexadecimal digits; "+make1)
		}
		c.Digest = read
	}
}

// alone reports a key or a name that another client has, too.
func (r *loader) alone(item *yamlfile.Node, c Client) {
	if r.seen.keys == nil {
		r.seen = clientsSeen{keys: map[admission.Digest]*yamlfile.Node{}, names: map[string]*yamlfile.Node{}}
	}
	where := func(first *yamlfile.Node) string {
		if first.File() == item.File() {
			return fmt.Sprintf("first on line %d", first.Line)
		}
		return fmt.Sprintf("first in %s on line %d", first.File(), first.Line)
	}
	if digest := c.KeyDigest(); digest != (admission.Digest{}) {
		if first := r.seen.keys[digest]; first != nil {
			r.report.Add(firstOf(item, "key", "key_hash"), "this key is used twice, "+where(first), "give each client its own")
		} else {
			r.seen.keys[digest] = item
		}
	}
	if name := strings.ToLower(c.Name); name != "" {
		if first := r.seen.names[name]; first != nil {
			r.report.Add(item.Get("name"), "this name is used twice, "+where(first), "give each client its own")
		} else {
			r.seen.names[name] = item
		}
	}
}

// clientKey checks a key without repeating it.
func (r *loader) clientKey(n *yamlfile.Node, key string) {
	switch {
	case len(key) < admission.MinKey:
		r.report.Add(n, fmt.Sprintf("the key has fewer than %d characters", admission.MinKey), "make one with: openssl rand -hex 24")
	case !clientKey.MatchString(key):
		r.report.Add(n, "the key cannot stand in a path", "use letters, digits and - . _ ~ only, as openssl rand -hex 24 gives")
	}
}

// moment reads a day, which means its end in UTC, or a time.
func (r *loader) moment(to *time.Time, n *yamlfile.Node) {
	text, ok := r.text(n, "a day such as 2027-01-31")
	if !ok {
		return
	}
	at, err := ParseMoment(text)
	if err != nil {
		r.addError(n, err)
	}
	*to = at
}

// ParseMoment parses a day such as 2027-01-31, which means its end in UTC, or a time as of RFC 3339.
func ParseMoment(text string) (time.Time, error) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.AddDate(0, 0, 1), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, fmt.Errorf("this is neither a day nor a time; write 2027-01-31 or 2027-01-31T18:00:00Z")
	}
	return at, nil
}

var sessionHeader = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// notSessions are headers that have another meaning, or a secret, which would be recorded.
var notSessions = []string{
	"api-key", "authorization", "connection", "content-encoding", "content-length", "content-type", "cookie", "expect", "host",
	"mcp-session-id", "proxy-authorization",
	"transfer-encoding", "x-api-key", "x-goog-api-key", "x-weir-key",
}

// sessionHeader checks the header in which a client names its sessions.
func (r *loader) sessionHeader(n *yamlfile.Node, name string) {
	const cure = "use one that the client sends for this, such as x-session-id"
	switch {
	case !sessionHeader.MatchString(name):
		r.report.Add(n, "this is not the name of a header", cure)
	case slices.Contains(notSessions, strings.ToLower(name)):
		r.report.Add(n, "the header "+strings.ToLower(name)+" has another meaning, or a secret in it", cure)
	}
}

func clientsSchema() yamlfile.Schema {
	text := yamlfile.TextSchema()
	client := clientShape.Schema(map[string]yamlfile.Schema{
		"key":      text.Describe("The secret that the client shows: at least 16 characters."),
		"key_hash": text.Describe("The SHA-256 of the secret, in place of it: sha256: and 64 hexadecimal digits."),
		"name":     text.Describe("What policies call the key."),
		"employee": text, "team": text, "org": text,
		"session_header": text.Describe("The header in which the client names the session of a request, such as x-session-id."),
		"expires":        text.Describe("The last day of the key, such as 2027-01-31, or a time of RFC 3339."),
		"created":        text.Describe("When the key was made."),
	})
	client["anyOf"] = []yamlfile.Schema{{"required": []string{"key"}}, {"required": []string{"key_hash"}}}
	return yamlfile.ListSchema(client)
}
