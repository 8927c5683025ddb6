package dialect

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/strictjson"
)

// redacted replaces a secret.
const redacted = `"[redacted]"`

// WithoutSecrets returns the JSON of v without credentials. At any depth, "[redacted]" replaces every text and number in a member
// whose name is that of a credential; credentials in URLs are replaced, too. Names and structure stay, so that rules can check
// them. In a schema, the description of a parameter with such a name stays, too, but not the values that it gives.
func WithoutSecrets(v strictjson.Value) jsontext.Value {
	start, _ := v.Span()
	r := redaction{offset: start}
	r.value(v, false)
	if len(r.edits) == 0 {
		return v.Raw()
	}
	return strictjson.Splice(v.Raw(), r.edits...)
}

// A redaction collects the edits that remove secrets from a value that begins at offset.
type redaction struct {
	offset int
	edits  []strictjson.Edit
}

func (r *redaction) replace(v strictjson.Value, text string) {
	start, end := v.Span()
	r.edits = append(r.edits, strictjson.Edit{Start: start - r.offset, End: end - r.offset, New: []byte(text)})
}

// value removes the secrets from v; secret says that all of v is secret.
func (r *redaction) value(v strictjson.Value, secret bool) {
	switch v.Kind() {
	case strictjson.String:
		if secret {
			r.replace(v, redacted)
			return
		}
		r.text(v)
	case strictjson.Number:
		if secret {
			r.replace(v, redacted)
		}
	case strictjson.Array:
		flag := false // the element before is an option whose value is a credential
		for elem := range v.Elems() {
			r.value(elem, secret || flag)
			text, _ := elem.Text()
			flag = secretOption.MatchString(text)
		}
	case strictjson.Object:
		for name, member := range v.Members() {
			if !secret && name.Is("properties") {
				r.properties(member)
				continue
			}
			// Any variable of an environment may be secret: its name need not show it.
			r.value(member, secret || namesSecret(name) || name.Folds("env"))
		}
	}
}

// properties removes the secrets from the parameters of a schema. There, a member with the name of a credential describes a
// parameter, and is not the credential itself.
func (r *redaction) properties(v strictjson.Value) {
	if v.Kind() != strictjson.Object {
		r.value(v, false)
		return
	}
	for name, schema := range v.Members() {
		if schema.Kind() != strictjson.Object || !namesSecret(name) {
			r.value(schema, namesSecret(name))
			continue
		}
		for keyword, value := range schema.Members() {
			r.value(value, givesValue(keyword) || namesSecret(keyword))
		}
	}
}

// givesValue says whether a keyword of a schema holds values of the parameter.
func givesValue(keyword strictjson.Value) bool {
	return slices.ContainsFunc([]string{"default", "const", "enum", "example", "examples"}, keyword.Folds)
}

// secretNames are words in the names of members with credentials; secretEnds are words at the end of such names. All are without
// separators.
var (
	secretNames = bytes.Fields([]byte("authorization authentication password passwd passphrase secret credential apikey privatekey " +
		"accesskey bearer cookie"))
	secretEnds = bytes.Fields([]byte("token headers auth"))
)

// longestName is the longest name that is checked: no longer name is that of a credential.
const longestName = 256

// namesSecret says whether a member's name is that of a credential, in any case and with any separators.
func namesSecret(name strictjson.Value) bool {
	if len(name.Raw()) > longestName {
		return false
	}
	var buf [longestName]byte
	return isSecretName(name.AppendText(buf[:0]))
}

// isSecretName is namesSecret for a decoded name, which it overwrites.
func isSecretName(name []byte) bool {
	plain := name[:0]
	for _, c := range name {
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c == '_' || c == '-' || c == '.' || c == ' ':
			continue
		}
		plain = append(plain, c)
	}
	switch string(plain) {
	case "connectionstring", "signature", "sig":
		return true
	}
	for _, s := range secretNames {
		if bytes.Contains(plain, s) {
			return true
		}
	}
	for _, s := range secretEnds {
		if bytes.HasSuffix(plain, s) {
			return true
		}
	}
	return false
}

// text removes the credentials from a text that is a URL or an option of a command line.
func (r *redaction) text(v strictjson.Value) {
	const longestURL = 16 << 10
	raw := v.Raw()
	if len(raw) > longestURL || !bytes.ContainsAny(raw, `\@?#`) && !bytes.HasPrefix(raw, []byte(`"-`)) {
		return
	}
	text, ok := v.Text()
	if !ok {
		return
	}
	if m := secretFlag.FindStringSubmatch(text); m != nil {
		r.replace(v, Quote(m[1]+"[redacted]"))
		return
	}
	if clean := CleanURL(text); clean != text {
		r.replace(v, Quote(clean))
	}
}

// isSecretParameter says whether the name of a query parameter is that of a credential.
func isSecretParameter(name string) bool {
	name = strings.ToLower(name)
	return isSecretName([]byte(name)) ||
		strings.HasSuffix(name, "key") || strings.HasSuffix(name, "sig") || strings.HasSuffix(name, "signature") ||
		name == "code"
}

// SecretsOf returns the credentials in the environment and arguments of a process: the values of variables and options whose names
// are those of credentials.
func SecretsOf(environ map[string]string, args []string) (secrets []string) {
	for name, value := range environ {
		if isSecretParameter(name) {
			secrets = append(secrets, value)
		}
	}
	for i, arg := range args {
		if m := secretFlag.FindStringSubmatch(arg); m != nil {
			secrets = append(secrets, arg[len(m[1]):])
		} else if i > 0 && secretOption.MatchString(args[i-1]) {
			secrets = append(secrets, arg)
		}
	}
	return secrets
}

// SecretsInQuery returns the credentials in a query: the values of parameters whose names are those of credentials.
func SecretsInQuery(query url.Values) (secrets []string) {
	for name, values := range query {
		if isSecretParameter(name) {
			secrets = append(secrets, values...)
		}
	}
	return secrets
}

// secretFlag matches an option of a command line with its value, if the option's name is that of a credential.
var secretFlag = regexp.MustCompile(`(?i)^(--?[a-z0-9_-]*(?:key|token|secret|password|passwd|auth|pat|credentials?)[=:])\S.*$`)

// secretOption matches an option of a command line that is followed by a credential.
var secretOption = regexp.MustCompile(`(?i)^--?[a-z0-9_-]*(?:key|token|secret|password|passwd|pat|credentials?)$`)

// CleanURL returns a URL without its user and password, and without the values of query parameters whose names are those of
// credentials. Any other text is returned unchanged. Hosts stay: rules check them.
func CleanURL(text string) string {
	const mark = "redacted"
	scheme, rest, found := strings.Cut(text, "://")
	if !found || strings.ContainsAny(scheme, " \t\r\n") {
		return text
	}
	host, path := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = mark + host[i:]
	}
	path, fragment, hasFragment := strings.Cut(path, "#")
	path, query, hasQuery := strings.Cut(path, "?")
	if hasQuery {
		fields := strings.Split(query, "&")
		for i, field := range fields {
			if name, _, ok := strings.Cut(field, "="); ok && isSecretParameter(name) {
				fields[i] = name + "=" + mark
			}
		}
		path += "?" + strings.Join(fields, "&")
	}
	if hasFragment && strings.Contains(fragment, "=") {
		fragment = mark
	}
	if hasFragment {
		path += "#" + fragment
	}
	return scheme + "://" + host + path
}
