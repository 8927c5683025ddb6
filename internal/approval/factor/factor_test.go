package factor

import (
	"errors"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/approval"
)

// TestCode has the vectors of RFC 6238, cut to six digits.
func TestCode(t *testing.T) {
	s := Secret("12345678901234567890")
	for at, want := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130",
	} {
		if got := s.Code(time.Unix(at, 0)); got != want {
			t.Errorf("at %d: %s, want %s", at, got, want)
		}
	}
}

func TestParseSecret(t *testing.T) {
	s := NewSecret()
	for _, text := range []string{s.String(), " " + s.String()[:8] + " " + s.String()[8:] + "==="} {
		if got, err := ParseSecret(text); err != nil || got.String() != s.String() {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "JBSWY3DP", "0123456789ABCDEFGHIJKLMNOPQRSTUV", "ж"} {
		if _, err := ParseSecret(text); !errors.Is(err, ErrSecret) {
			t.Errorf("%q is a secret", text)
		}
	}
}

func TestCheck(t *testing.T) {
	ann := Member{Person: approval.Person{User: "ann"}, Secret: NewSecret()}
	bob := Member{Person: approval.Person{User: "bob"}, Secret: NewSecret()}
	now := time.Unix(1_800_000_000, 0)
	var c Checker
	check := func(m Member, code string, at time.Time, want error) {
		t.Helper()
		if err := c.Check(m, code, at); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	check(ann, ann.Secret.Code(now), now, nil)
	check(ann, ann.Secret.Code(now), now, ErrWrongCode) // each is used once
	check(ann, ann.Secret.Code(now.Add(-step)), now, ErrWrongCode)
	check(ann, ann.Secret.Code(now.Add(step)), now, nil) // a clock that is a little wrong
	check(ann, ann.Secret.Code(now.Add(4*step)), now, ErrWrongCode)
	check(ann, bob.Secret.Code(now), now, ErrWrongCode)
	check(ann, "", now, ErrWrongCode)
	check(ann, "", now, ErrWrongCode)
	check(ann, "", now, ErrWrongCode)
	later := now.Add(2 * step)
	check(ann, ann.Secret.Code(later), later, ErrTooMany)
	check(bob, bob.Secret.Code(later), later, nil)
	later = later.Add(wrongWithin + step)
	check(ann, ann.Secret.Code(later), later, nil)
	check(Member{Person: approval.Person{User: "eve"}}, "000000", now, ErrNoSecret)
}

func TestFind(t *testing.T) {
	all := []Member{{Person: approval.Person{User: "ann@acme.com"}}}
	if m, err := Find(all, "Ann@acme.com"); err != nil || m.User != "ann@acme.com" {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := Find(all, "ann"); !errors.Is(err, ErrNobody) {
		t.Errorf("%v", err)
	}
}
