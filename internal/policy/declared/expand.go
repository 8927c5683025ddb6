package declared

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/envtext"
)

// Expand returns the server with ${NAME} replaced by variables. An error names the server, the key and the variable, but never the
// value of a variable.
func (s Server) Expand(env func(string) (string, bool)) (Server, error) {
	s.Args, s.Env.Set, s.Auth.Scopes = slices.Clone(s.Args), maps.Clone(s.Env.Set), slices.Clone(s.Auth.Scopes)
	for _, t := range s.texts() {
		text, err := envtext.Expand(*t.text, env)
		if err == nil {
			err = t.check(text)
		}
		if err != nil {
			return Server{}, fmt.Errorf("server %s, %s: %w", s.ID, t.key, err)
		}
		*t.text = text
	}
	for _, name := range slices.Sorted(maps.Keys(s.Env.Set)) {
		text, err := envtext.Expand(s.Env.Set[name], env)
		if err != nil {
			return Server{}, fmt.Errorf("server %s, env.set.%s: %w", s.ID, name, err)
		}
		s.Env.Set[name] = text
	}
	if s.Auth.Type != AuthNone && inTheClear(s.URL) {
		return Server{}, fmt.Errorf("server %s, url: %s; %s", s.ID, errClear.message, errClear.cure)
	}
	if s.TLSFingerprint != "" && isPlain(s.URL) {
		return Server{}, fmt.Errorf("server %s, tls_fingerprint: %s; %s", s.ID, errNoCertificate.message, errNoCertificate.cure)
	}
	if inTheClear(s.Auth.TokenURL) {
		return Server{}, fmt.Errorf("server %s, auth.token_url: %s; %s", s.ID, errClear.message, errClear.cure)
	}
	return s, nil
}

// A heldText is a text of a server that may have variables.
type heldText struct {
	key  string
	text *string
	kind textKind
}

// A textKind says what a text must be once its variables are replaced.
type textKind int

const (
	anyText    textKind = iota
	neededText          // not empty
	secretText          // not empty, and valid in a header
	userText            // like secretText, without a colon
	urlText
)

// texts are the texts of the server that are not empty, and all of its arguments.
func (s *Server) texts() []heldText {
	all := []heldText{
		{"command", &s.Command, neededText},
		{"dir", &s.Dir, neededText},
		{"url", &s.URL, urlText},
		{"auth.token", &s.Auth.Token, secretText},
		{"auth.username", &s.Auth.Username, userText},
		{"auth.password", &s.Auth.Password, secretText},
		{"auth.value", &s.Auth.Value, secretText},
		{"auth.token_url", &s.Auth.TokenURL, urlText},
		{"auth.client_id", &s.Auth.ClientID, secretText},
		{"auth.client_secret", &s.Auth.ClientSecret, secretText},
		{"auth.resource", &s.Auth.Resource, urlText},
	}
	all = slices.DeleteFunc(all, func(t heldText) bool { return *t.text == "" })
	for i := range s.Args {
		all = append(all, heldText{fmt.Sprintf("args[%d]", i), &s.Args[i], anyText})
	}
	return all
}

// check says what is wrong with a text whose variables are replaced.
func (t heldText) check(text string) error {
	switch {
	case t.kind != anyText && text == "":
		return errors.New("nothing is left when the variables are put in; give them values")
	case t.kind == urlText:
		return checkURL(text)
	case (t.kind == secretText || t.kind == userText) && !printable(text):
		return errors.New("a credential is one line without control characters; set the variable without them")
	case t.kind == userText && strings.Contains(text, ":"):
		return errors.New("a user's name has no colon; set the variable to what stands before it")
	default:
		return nil
	}
}
