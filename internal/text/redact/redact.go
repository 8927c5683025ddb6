// Package redact finds secrets and personal data in text and replaces them.
//
// A [Set] looks for presets, which know their kind of secret and check what can be checked (a Luhn digit, the remainder of an IBAN,
// the header of a JWT), and for patterns, which are regular expressions of the user. Each secret is replaced by a token such as
// [redacted:email]. Invisible characters inside a secret, line breaks inside a long one, percent signs, characters that look like
// ASCII in another width or script, and one layer of base64 do not hide it. Other encodings (hex, compression, a second layer) are
// not decoded.
package redact

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Finding is the position of a secret or personal datum in a text.
type Finding struct {
	Name       string // of the preset or pattern
	Start, End int    // in bytes
}

// A Pattern is a kind of secret that the user describes.
type Pattern struct {
	Name  string // the name in the token: letters, digits, _ and -, beginning with a letter
	Regex string // in the syntax of Go's regexp; the whole match is replaced
}

// A Config says what a Set looks for. Order matters only where findings overlap: the first of them gives the name.
type Config struct {
	Presets  []string  // names out of Presets(), each of a preset or of a group; nil: none
	Patterns []Pattern // after the presets; nil: none
}

// A ConfigError says what is wrong with one entry of a Config. New joins all of them.
type ConfigError struct {
	Field   string // "presets" or "patterns"
	Index   int    // of the entry in the field
	Part    string // "name" or "regex" of a pattern; else ""
	Problem string // what is wrong and how to fix it
}

// Error says which entry is wrong, why, and what to do.
func (e *ConfigError) Error() string {
	if e.Part == "" {
		return fmt.Sprintf("%s[%d]: %s", e.Field, e.Index, e.Problem)
	}
	return fmt.Sprintf("%s[%d].%s: %s", e.Field, e.Index, e.Part, e.Problem)
}

// A Set looks for the secrets of one Config. It is safe for concurrent use.
type Set struct {
	names     []string       // by rank: presets, then patterns
	detectors []rankedPreset // of the presets
	triggers  [256]mask      // by byte: the detectors to run where this byte is
	forms     [256]*formsAt  // by byte: the forms of keys that have this byte in their prefix
	whole     mask           // the detectors whose secrets never follow a letter directly
	patterns  []pattern
	known     *Set     // the same Set without the patterns
	tokens    []string // all possible tokens: of every preset, since another Set may have made them, and of the patterns
}

// New returns the Set for a Config. The error joins a *ConfigError for each entry that is wrong. A Config without entries is wrong
// too: it would find nothing.
func New(cfg Config) (*Set, error) {
	s := &Set{}
	problems := s.addPresets(cfg.Presets)
	for i, p := range cfg.Patterns {
		for part, problem := range s.addPattern(p) {
			problems = append(problems, &ConfigError{Field: "patterns", Index: i, Part: part, Problem: problem})
		}
	}
	if len(cfg.Presets)+len(cfg.Patterns) == 0 {
		problems = append(problems, errors.New("nothing to look for: name at least one preset or pattern"))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	s.watchForJoints()
	for _, name := range slices.Concat(Presets(), s.names[len(s.detectors):]) {
		s.tokens = append(s.tokens, token(name))
	}
	known := *s
	known.patterns = nil
	s.known = &known
	return s, nil
}

// Marked says whether a text has a token of one of the Set's kinds, where a secret was.
func (s *Set) Marked(text string) bool {
	return strings.Contains(text, tokenStart) &&
		slices.ContainsFunc(s.names, func(name string) bool { return strings.Contains(text, token(name)) })
}

// addPresets adds the presets of these names. A preset that is also in a group counts at its first position.
func (s *Set) addPresets(names []string) (problems []error) {
	for i, name := range names {
		problem := ""
		all := presetsOf(name)
		switch {
		case len(all) == 0:
			problem = fmt.Sprintf("there is no preset %q: use one of %s, or a pattern", name, strings.Join(Presets(), ", "))
		case slices.Contains(names[:i], name):
			problem = fmt.Sprintf("preset %q is there twice: remove one", name)
		}
		if problem != "" {
			problems = append(problems, &ConfigError{Field: "presets", Index: i, Problem: problem})
			continue
		}
		for _, p := range all {
			if !s.has(p) {
				s.watch(rankedPreset{p, len(s.names)})
				s.names = append(s.names, p.name)
			}
		}
	}
	return problems
}

// maxName bounds the name of a pattern, which is part of every token for it.
const maxName = 64

var nameForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// addPattern adds a pattern. It returns what is wrong with it, by part.
func (s *Set) addPattern(p Pattern) (problems map[string]string) {
	problems = map[string]string{}
	switch {
	case len(p.Name) > maxName || !nameForm.MatchString(p.Name):
		problems["name"] = fmt.Sprintf("the name %.80q of a pattern must be at most %d letters, digits, _ and -, beginning with a letter",
			p.Name, maxName)
	case slices.Contains(s.names, p.Name) || slices.Contains(Presets(), p.Name):
		problems["name"] = fmt.Sprintf("the name %q is taken by a preset or another pattern: choose another", p.Name)
	}
	compiled, err := newPattern(p.Regex, len(s.names))
	if err != nil {
		problems["regex"] = fmt.Sprintf("pattern %q: %v", p.Name, err)
	}
	if len(problems) == 0 {
		s.patterns = append(s.patterns, compiled)
		s.names = append(s.names, p.Name)
	}
	return problems
}

// token is the text that replaces a secret.
func token(name string) string { return tokenStart + name + "]" }

const tokenStart = "[redacted:"
