package call

import "testing"

// A part that is named can be left out again, whatever it is and whatever is around it.
func TestWithoutPart(t *testing.T) {
	for _, sentence := range []string{OtherUses, OtherRequests, UnaskedUses} {
		for _, part := range []string{"x", "a: b", `c\u202e.`, "(d) 'e'"} {
			with := `It says "no": ` + NamingPart(sentence, part) + " More."
			if got, want := WithoutPart(with), `It says "no": `+sentence+". More."; got != want {
				t.Errorf("%s became %s, want %s", with, got, want)
			}
		}
		if got := WithoutPart(NamingPart(sentence, "")); got != sentence+"." {
			t.Errorf("without a part it became %s", got)
		}
	}
}
