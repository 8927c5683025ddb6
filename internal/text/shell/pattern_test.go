package shell

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// regrouped writes options of one letter in any order and grouping, some in their long form, among the operands.
func regrouped(random *rand.Rand, options string, long map[byte]string, operands []string) []string {
	letters := []byte(options)
	random.Shuffle(len(letters), func(i, j int) { letters[i], letters[j] = letters[j], letters[i] })
	var words []string
	for len(letters) > 0 {
		n := 1 + random.IntN(len(letters))
		if name, ok := long[letters[0]]; ok && n == 1 {
			words = append(words, "--"+name)
		} else {
			words = append(words, "-"+string(letters[:n]))
		}
		letters = letters[n:]
	}
	for _, operand := range operands {
		words = slices.Insert(words, random.IntN(len(words)+1), operand)
	}
	return words
}

func TestOptionsInAnyForm(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	pattern := NewPattern("rm -rfv *")
	for range 2000 {
		argv := append([]string{"rm"}, regrouped(random, "rfv", map[byte]string{'r': "recursive", 'f': "force", 'v': "verbose"}, []string{"x"})...)
		if got := ReadArgv(argv, Start{})[0].Runs(pattern); got != Yes {
			t.Fatalf("%q: answer %d", argv, got)
		}
	}
}

// TestPatternsNeverMatchLess holds what patterns matched before options were read apart.
func TestPatternsNeverMatchLess(t *testing.T) {
	eachPair(func(p Pattern, c Command) {
		plain := p
		plain.options = nil
		if before, now := c.Runs(plain), c.Runs(p); now < before {
			t.Fatalf("%q runs %q: %d, without options %d", c, p.glob, now, before)
		}
	})
}

// TestHolesHideNothing puts a hole in the place of each word in turn: what ran could still run.
func TestHolesHideNothing(t *testing.T) {
	eachPair(func(p Pattern, c Command) {
		if c.Runs(p) == No {
			return
		}
		for i := 1; i < len(c.Words); i++ {
			for _, hole := range []string{anyWords, oneWord} {
				hidden := Command{Path: c.Path, Words: slices.Clone(c.Words)}
				hidden.Words[i] = newWord(hole)
				if hidden.Runs(p) == No {
					t.Fatalf("%q runs %q, but not %q", c, p.glob, hidden)
				}
			}
		}
	})
}

// eachPair visits patterns and commands made of the same words.
func eachPair(visit func(Pattern, Command)) {
	random := rand.New(rand.NewPCG(7, 8))
	words := []string{"-r", "-f", "-rf", "-fr", "--force", "--recursive", "--all", "x", "/x", "push", "--", "-n5"}
	pick := func(extra ...string) []string {
		from := append(slices.Clone(words), extra...)
		out := []string{[]string{"rm", "git"}[random.IntN(2)]}
		for range 1 + random.IntN(4) {
			out = append(out, from[random.IntN(len(from))])
		}
		return out
	}
	for range 20000 {
		visit(NewPattern(strings.Join(pick("*", "-*"), " ")), ReadArgv(pick(), Start{})[0])
	}
}
