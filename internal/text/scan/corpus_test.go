package scan

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// A group is texts of a kind in the corpus.
type group struct {
	Class    string   `yaml:"class"`
	As       string   `yaml:"as"`
	Disguise string   `yaml:"disguise"`
	Texts    []string `yaml:"texts"`
}

func corpus(tb testing.TB, name string) []group {
	tb.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	var groups []group
	if err := yaml.UnmarshalWithOptions(data, &groups, yaml.Strict()); err != nil {
		tb.Fatalf("read %s: %v", name, err)
	}
	return groups
}

// disguises hide a text as attackers do.
var disguises = map[string]func(string) string{
	"": func(s string) string { return s },
	"tags": func(s string) string {
		return "Adds two numbers." + strings.Map(func(r rune) rune { return 0xE0000 + r }, s)
	},
	"selectors": func(s string) string {
		var b strings.Builder
		b.WriteString("A smile: 😀")
		for i := range len(s) {
			b.WriteRune(rune(s[i]) - 16 + 0xE0100)
		}
		return b.String()
	},
	"bits": func(s string) string {
		var b strings.Builder
		b.WriteString("Adds two numbers.")
		for i := range len(s) {
			b.WriteString(strings.NewReplacer("0", "\u200b", "1", "\u200c").Replace(fmt.Sprintf("%08b", s[i])))
		}
		return b.String()
	},
	"split":    func(s string) string { return strings.Join(strings.Split(s, ""), "\u200b") },
	"cyrillic": strings.NewReplacer("e", "е", "o", "о", "a", "а", "p", "р", "c", "с").Replace,
	"wide": func(s string) string {
		return strings.Map(func(r rune) rune {
			if r > ' ' && r <= '~' {
				return r - '!' + '！'
			}
			return r
		}, s)
	},
	"spaced":  func(s string) string { return strings.Join(strings.Split(s, ""), " ") },
	"leet":    strings.NewReplacer("e", "3", "o", "0", "i", "1", "s", "5").Replace,
	"base64":  func(s string) string { return "Checksum: " + base64.StdEncoding.EncodeToString([]byte(s)) },
	"hex":     func(s string) string { return "Checksum: " + hex.EncodeToString([]byte(s)) },
	"percent": func(s string) string { return each(s, "%%%02X") },
	"entities": func(s string) string {
		return each(s, "&#%d;")
	},
	"blanks": func(s string) string { return "Adds two numbers." + strings.Repeat(" ", 400) + s },
	"lines":  func(s string) string { return "Adds two numbers." + strings.Repeat("\n", 60) + s },
}

func each(s, format string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, format, s[i])
	}
	return b.String()
}

// look scans a text of the corpus as what it is.
func look(tb testing.TB, s *Scanner, g group, text string) []Finding {
	tb.Helper()
	hide, ok := disguises[g.Disguise]
	if !ok {
		tb.Fatalf("no disguise %q", g.Disguise)
	}
	text = hide(text)
	switch g.As {
	case "description":
		return s.Definition(Definition{Server: "demo", Name: "demo_tool", Description: text})
	case "schema":
		return s.Definition(Definition{Server: "demo", Name: "demo_tool", InputSchema: []byte(text)})
	case "name":
		return s.Definition(Definition{Server: "demo", Name: text})
	case "result":
		return s.Result(Content{"/content/0/text", text})
	}
	tb.Fatalf("no kind %q", g.As)
	return nil
}

// A score is how many texts of a class there are, and how many were found.
type score struct{ texts, found int }

func measure(t *testing.T, s *Scanner, file string, wantFound bool) map[string]score {
	scores := map[string]score{}
	for _, g := range corpus(t, file) {
		for _, text := range g.Texts {
			findings := look(t, s, g, text)
			sc := scores[g.Class]
			sc.texts++
			found := Worst(findings) >= Medium
			if found {
				sc.found++
			}
			scores[g.Class] = sc
			if found != wantFound {
				t.Logf("%s: %s %s: %q: %+v", file, g.Class, g.As, text, findings)
			}
		}
	}
	return scores
}

func total(scores map[string]score) (all score) {
	for _, s := range scores {
		all.texts += s.texts
		all.found += s.found
	}
	return all
}

// The floors are what the rules reached when they were written: 0.961, 0.996, and 0.667 for the weakest class. The rules were
// fitted to these texts, so the numbers keep the rules from getting worse and do not say how good they are: see
// TestHeldOutCorpus for that.
const (
	recallFloor    = 0.96
	precisionFloor = 0.99
	classFloor     = 0.65 // recall of every class
)

func TestCorpus(t *testing.T) {
	s := newScanner(t)
	poisoned, ordinary := measure(t, s, "poisoned.yaml", true), measure(t, s, "ordinary.yaml", false)
	p, o := total(poisoned), total(ordinary)
	if p.texts < 150 || o.texts < 250 {
		t.Fatalf("the corpus has %d poisoned and %d ordinary texts; it needs 150 and 250", p.texts, o.texts)
	}
	for _, class := range sortedKeys(poisoned) {
		sc := poisoned[class]
		recall := float64(sc.found) / float64(sc.texts)
		t.Logf("poisoned %-14s %3d texts  recall %.3f", class, sc.texts, recall)
		if recall < classFloor {
			t.Errorf("recall of %s is %.3f, under %.2f", class, recall, classFloor)
		}
	}
	for _, class := range sortedKeys(ordinary) {
		sc := ordinary[class]
		t.Logf("ordinary %-16s %3d texts  false alarms %d", class, sc.texts, sc.found)
	}
	recall := float64(p.found) / float64(p.texts)
	precision := float64(p.found) / float64(p.found+o.found)
	t.Logf("poisoned %d, ordinary %d: recall %.3f, precision %.3f", p.texts, o.texts, recall, precision)
	if recall < recallFloor || precision < precisionFloor {
		t.Errorf("recall %.3f (floor %.2f), precision %.3f (floor %.2f)", recall, recallFloor, precision, precisionFloor)
	}
}

func sortedKeys(m map[string]score) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func newScanner(tb testing.TB) *Scanner {
	tb.Helper()
	s, err := New(Config{})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// The held-out texts were written after the rules, and the rules were not fitted to them, so what they give is nearer to what
// texts of strangers will give: 10 of 25 poisoned texts found, most of them plain wording, and 1 false alarm in 35 ordinary ones.
// Rules of wording find what is said in known ways; they are no proof that a text is harmless.
const (
	heldOutFound  = 10
	heldOutAlarms = 1
)

func TestHeldOutCorpus(t *testing.T) {
	s := newScanner(t)
	p := total(measure(t, s, "heldout-poisoned.yaml", true))
	o := total(measure(t, s, "heldout-ordinary.yaml", false))
	t.Logf("held out: found %d of %d poisoned, recall %.3f; false alarms %d of %d ordinary; precision %.3f",
		p.found, p.texts, float64(p.found)/float64(p.texts), o.found, o.texts, float64(p.found)/float64(p.found+o.found))
	if p.found < heldOutFound || o.found > heldOutAlarms {
		t.Errorf("found %d, at least %d expected; false alarms %d, at most %d expected", p.found, heldOutFound, o.found, heldOutAlarms)
	}
}
