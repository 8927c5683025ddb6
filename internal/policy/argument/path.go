package argument

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// maxPathSteps bounds the steps of a path, because each is a bit in a word; see walker.
const maxPathSteps = 32

type stepKind int

const (
	stepMember stepKind = iota // .name or ["name"]
	stepIndex                  // [0]
	stepEach                   // [*]
	stepDeep                   // **: any number of members and elements, also none
)

type step struct {
	kind  stepKind
	name  string
	index int
}

// A Path selects values from arguments.
type Path struct {
	Text  string
	steps []step // none: all arguments
	// Spread says that a selected list counts as each of its items.
	Spread bool
}

// ParsePath parses a param_path:
//
//	path  = "$" | first { "." name | "." "**" | index }
//	first = name | "**" | quoted
//	index = "[" digits "]" | "[*]" | quoted
//	quoted = "[" JSON string "]"
func ParsePath(text string) (Path, error) {
	p := Path{Text: text}
	if text == "$" {
		return p, nil
	}
	if strings.HasPrefix(text, "$.") || strings.HasPrefix(text, "$[") {
		return Path{}, errors.New("a path begins at the arguments by itself: leave out the leading $")
	}
	rest := text
	for first := true; rest != "" || first; first = false {
		var s step
		var err error
		if s, rest, err = nextStep(rest, first); err != nil {
			return Path{}, err
		}
		if n := len(p.steps); s.kind == stepDeep && n > 0 && p.steps[n-1].kind == stepDeep {
			return Path{}, errors.New("** follows itself: write it once")
		}
		if p.steps = append(p.steps, s); len(p.steps) > maxPathSteps {
			return Path{}, fmt.Errorf("more than %d steps", maxPathSteps)
		}
	}
	if p.steps[len(p.steps)-1].kind == stepDeep {
		return Path{}, errors.New("** must be followed by a name: write **.name, or $ for all arguments")
	}
	if k := p.steps[0].kind; k == stepIndex || k == stepEach {
		return Path{}, errors.New("arguments are an object, so an index cannot come first: begin with a name")
	}
	return p, nil
}

func nextStep(text string, first bool) (s step, rest string, err error) {
	if strings.HasPrefix(text, "[") {
		return bracketStep(text[1:])
	}
	if !first {
		var dotted bool
		if text, dotted = strings.CutPrefix(text, "."); !dotted {
			return step{}, "", fmt.Errorf("expected . or [ before %q", head(text))
		}
	}
	end := strings.IndexFunc(text, func(r rune) bool { return r == '.' || r == '[' })
	if end < 0 {
		end = len(text)
	}
	word, rest := text[:end], text[end:]
	switch {
	case word == "**":
		return step{kind: stepDeep}, rest, nil
	case word == "":
		return step{}, "", errors.New("a name is missing: write a.b, without dots at the ends or next to each other")
	case strings.ContainsFunc(word, needsQuotes):
		return step{}, "", fmt.Errorf("the name %q needs quotes: write [%s]", head(word), strconv.Quote(head(word)))
	default:
		return step{kind: stepMember, name: word}, rest, nil
	}
}

func bracketStep(text string) (s step, rest string, err error) {
	if strings.HasPrefix(text, `"`) {
		return quotedStep(text)
	}
	inside, rest, closed := strings.Cut(text, "]")
	if !closed {
		return step{}, "", errors.New("a [ is not closed")
	}
	if inside == "*" {
		return step{kind: stepEach}, rest, nil
	}
	n, err := strconv.ParseUint(inside, 10, 31)
	if err != nil || strconv.FormatUint(n, 10) != inside {
		return step{}, "", fmt.Errorf(`[%s] is no index: write [0], [*] or ["name"]`, head(inside))
	}
	return step{kind: stepIndex, index: int(n)}, rest, nil
}

func quotedStep(text string) (s step, rest string, err error) {
	d := jsontext.NewDecoder(strings.NewReader(text))
	tok, err := d.ReadToken()
	if err != nil {
		return step{}, "", errors.New(`a quoted name is not a JSON string: write ["name"]`)
	}
	name := tok.String()
	rest, closed := strings.CutPrefix(text[d.InputOffset():], "]")
	if !closed {
		return step{}, "", errors.New(`a quoted name is not closed: write ["name"]`)
	}
	return step{kind: stepMember, name: name}, rest, nil
}

func needsQuotes(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(`]"'*`, r)
}

// head shortens text for a message.
func head(s string) string {
	const most = 40
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// Whole says that the path is $: all arguments.
func (p *Path) Whole() bool { return len(p.steps) == 0 }

// Last is the name of the member that the path ends with; "": it ends with an index.
func (p *Path) Last() string { return p.steps[len(p.steps)-1].name }

// Member is the name of the member that the path selects, if the path is only one name: name or **.name.
func (p *Path) Member() (name string, ok bool) {
	steps := p.steps
	if len(steps) == 2 && steps[0].kind == stepDeep {
		steps = steps[1:]
	}
	if len(steps) != 1 || steps[0].kind != stepMember {
		return "", false
	}
	return steps[0].name, true
}
