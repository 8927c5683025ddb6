package gemini

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDotenv(t *testing.T) {
	got := parseDotenv("# c\nA=1\n export B = two words # c\nC='#3'\nD=\"4\" # c\nE=\nF=`6`\r\n#G=7\nnothing\n=8\nH=\"open\n")
	want := map[string]string{"A": "1", "B": "two words", "C": "#3", "D": "4", "E": "", "F": "6", "H": "\"open"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
