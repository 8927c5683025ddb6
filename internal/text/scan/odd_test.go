package scan

import (
	"testing"
	"unicode"
)

// Every character that is hard to see is read well wherever it stands, the end of a text included.
func TestOddCharactersAnywhere(t *testing.T) {
	s := newScanner(t)
	for _, table := range []*unicode.RangeTable{
		unicode.Cf, unicode.Cc, unicode.Zs, unicode.Zl, unicode.Zp, unicode.Mn, unicode.Co, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point,
	} {
		for _, r := range runesOf(table) {
			for _, text := range []string{string(r), "x" + string(r), string(r) + "x", "x" + string(r) + "y"} {
				for _, found := range append(s.Text("/x", text), s.Result(Content{"/x", text})...) {
					if found.Rule == "scan.bounds" {
						t.Fatalf("%U: %+v", r, found)
					}
				}
			}
		}
	}
}

// runesOf are the characters of a table; of large ranges, some.
func runesOf(table *unicode.RangeTable) (all []rune) {
	add := func(lo, hi, stride rune) {
		for r, n := lo, 0; r <= hi && n < 200; r, n = r+stride, n+1 {
			all = append(all, r)
		}
	}
	for _, r := range table.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range table.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return all
}
