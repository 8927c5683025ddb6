package gemini_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

var (
	wholePath     = regexp.MustCompile(`(?s)^\$(\.[^.\[]+|\[(0|[1-9][0-9]*)\]|\['([^'\\]|\\.)*'\]|\["([^"\\]|\\.)*"\])+$`)
	quoteOrEscape = regexp.MustCompile(`\\.|"`)
	pathStep      = regexp.MustCompile(`(?s)\.[^.\[]+|\[(0|[1-9][0-9]*)\]|\['([^'\\]|\\.)*'\]|\["([^"\\]|\\.)*"\]`)
)

// steps are the names (string) and indexes (int) of a path; false if it has others.
func steps(path string) ([]any, bool) {
	if !wholePath.MatchString(path) {
		return nil, false
	}
	var all []any
	for _, s := range pathStep.FindAllString(path[1:], -1) {
		switch {
		case s == ".*":
			return nil, false
		case s[0] == '.':
			all = append(all, s[1:])
		case s[1] == '\'' || s[1] == '"':
			body := quoteOrEscape.ReplaceAllStringFunc(s[2:len(s)-2], func(e string) string {
				switch e {
				case `\'`:
					return `'`
				case `"`:
					return `\"`
				}
				return e
			})
			name, err := jsontext.AppendUnquote(nil, `"`+body+`"`)
			if err != nil {
				return nil, false
			}
			all = append(all, string(name))
		default:
			i, err := strconv.Atoi(s[1 : len(s)-1])
			if err != nil {
				return nil, false
			}
			all = append(all, i)
		}
	}
	return all, true
}

// put returns v, which may be nothing yet, with text at a path.
func put(v any, path []any, text string) (any, bool) {
	if len(path) == 0 {
		return text, v == nil
	}
	ok := true
	switch step := path[0].(type) {
	case string:
		object, is := v.(map[string]any)
		if v == nil {
			object, is = map[string]any{}, true
		}
		if !is {
			return nil, false
		}
		object[step], ok = put(object[step], path[1:], text)
		return object, ok
	case int:
		array, is := v.([]any)
		if v != nil && !is || step > len(array) {
			return nil, false
		}
		if step == len(array) {
			array = append(array, nil)
		}
		array[step], ok = put(array[step], path[1:], text)
		return array, ok
	}
	return nil, false
}

// FuzzTree puts arguments together from two strings at two paths, and compares them with those of another way to do so.
func FuzzTree(f *testing.F) {
	for _, tt := range need.Seeds(slices.Collect(maps.Values(pathTable))) {
		for _, p := range tt.pieces {
			tree, err := dialecttest.ParseTree([]byte(p))
			if path := tree.Get("jsonPath").Text; err == nil && path != "" {
				f.Add(path, "x", "$.a", "y")
				f.Add("$.a[0]", "x", path, "y")
			}
		}
	}
	f.Fuzz(func(t *testing.T, path, text, otherPath, otherText string) {
		for _, s := range []string{path, text, otherPath, otherText} {
			if !utf8.ValidString(s) || len(s) > 1000 {
				return
			}
		}
		checkTree(t, [2]string{path, text}, [2]string{otherPath, otherText})
	})
}

func checkTree(t *testing.T, values ...[2]string) {
	t.Helper()
	var want any
	good := true
	var pieces []string
	for _, v := range values {
		at, ok := steps(v[0])
		if good = good && ok; good {
			want, good = put(want, at, v[1])
		}
		head := v[1][:len(v[1])/2]
		for !utf8.ValidString(head) {
			head = head[:len(head)-1]
		}
		pieces = append(pieces, `{"jsonPath":`+quote(v[0])+`,"stringValue":`+quote(head)+`,"willContinue":true}`,
			`{"jsonPath":`+quote(v[0])+`,"stringValue":`+quote(v[1][len(head):])+`}`)
	}
	r := pass(stream(says(begun), says(more(pieces...)), ends(over)), frame.Events, dialecttest.AllowAll())
	e := r.Events[0]
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if _, isObject := want.(map[string]any); e.Ruling.Released && (!good || !isObject) {
		t.Fatalf("%q: %s passed", values, e.Call.Args)
	}
	if e.Ruling.Released && dialecttest.Meaning(b) != dialecttest.Meaning(e.Call.Args) {
		t.Fatalf("%q: the arguments are %s, want %s", values, e.Call.Args, b)
	}
	if !e.Ruling.Released && good && isPlain(values) {
		t.Fatalf("%q: %s was refused", values, b)
	}
}

// isPlain says that there is nothing for which arguments are refused, but for how their pieces fit.
func isPlain(values [][2]string) bool {
	seen := map[string]bool{}
	for _, v := range values {
		at, _ := steps(v[0])
		if len(at) > 100 {
			return false
		}
		for i, s := range at {
			name, ok := s.(string)
			if i == 0 && !ok {
				return false
			}
			for known := range seen {
				if known != name && strings.EqualFold(known, name) {
					return false
				}
			}
			seen[name] = true
		}
	}
	return true
}

func TestTree(t *testing.T) {
	r := dialecttest.Random{Rand: rand.New(rand.NewPCG(1, 12))}
	pick := func() string {
		path := "$"
		for range 1 + r.IntN(3) {
			path += []string{".a", ".b", "[0]", "[1]", "['a']", `["b"]`, `['\'']`, "['\"']", ".é", "[01]", "..c", "['a", "", ".*"}[r.IntN(14)]
		}
		return path
	}
	for range 3000 {
		checkTree(t, [2]string{pick(), r.Words()}, [2]string{pick(), "y"}, [2]string{pick(), "z"})
	}
}
