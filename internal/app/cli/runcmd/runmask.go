package runcmd

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// secretMembers are members of settings whose values are often secrets, in lower case.
var secretMembers = []string{
	"env", "environment", "headers", "http_headers", "apikey", "api_key", "token", "authorization", "oauth",
	"password", "secret",
}

// plainVariables are the ends of names of variables whose values are not secret, such as addresses.
var plainVariables = []string{"_BASE_URL", "_ENDPOINT", "NO_PROXY", "no_proxy", "WEIR_SOCKET"}

// masked returns a text of settings without values that are often secrets. A text that is not JSON is returned unchanged: weir
// writes JSON.
func masked(text string) string {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	options := []json.Options{json.Deterministic(true)}
	if strings.Contains(text, "\n") {
		options = append(options, jsontext.WithIndent("  "))
	}
	out, err := json.Marshal(mask(value, false), options...)
	if err != nil {
		return text
	}
	return string(out)
}

// mask replaces texts; hidden says that they are in a member whose values are often secrets.
func mask(value any, hidden bool) any {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			plain := slices.ContainsFunc(plainVariables, func(end string) bool { return strings.HasSuffix(name, end) })
			v[name] = mask(member, (hidden || slices.Contains(secretMembers, strings.ToLower(name))) && !plain)
		}
	case []any:
		for i := range v {
			v[i] = mask(v[i], hidden)
		}
	case string:
		if hidden {
			return "(hidden)"
		}
	}
	return value
}
