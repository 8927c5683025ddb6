package factor

import (
	"crypto/subtle"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/weir-gate/weir/internal/approval"
)

// A Member is a person who can vote, and the secret of their authenticator; nil: they have none.
type Member struct {
	approval.Person
	Secret Secret
}

// Why it is not known who votes.
var (
	ErrNobody    = errors.New("there is no such person")
	ErrNoSecret  = errors.New("you have no authenticator yet: enrol one with weir approvals enrol")
	ErrWrongCode = errors.New("the code is wrong, or was used before")
	ErrTooMany   = errors.New("too many wrong codes; wait a few minutes")
)

// Somebody who guesses codes gets so many tries in a time.
const (
	maxWrong    = 5
	wrongWithin = 5 * time.Minute
	// drift is how many steps the clock of an authenticator may be wrong.
	drift = 1
)

// A Checker checks codes. Each is used once. The zero value is ready, and safe for concurrent use.
type Checker struct {
	mu    sync.Mutex
	users map[string]*standing
}

// standing is what is known of a person's codes.
type standing struct {
	last  int64 // the counter of the last code that was used
	wrong []time.Time
}

// Check says whether a code is the person's at a time. It is used up then.
func (c *Checker) Check(m Member, code string, now time.Time) error {
	if m.Secret == nil {
		return ErrNoSecret
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users == nil {
		c.users = map[string]*standing{}
	}
	s := c.users[strings.ToLower(m.User)]
	if s == nil {
		s = &standing{}
		c.users[strings.ToLower(m.User)] = s
	}
	for len(s.wrong) > 0 && now.Sub(s.wrong[0]) > wrongWithin {
		s.wrong = s.wrong[1:]
	}
	if len(s.wrong) >= maxWrong {
		return ErrTooMany
	}
	code = strings.Join(strings.Fields(code), "")
	counter := now.Unix() / int64(step/time.Second)
	for at := counter - drift; at <= counter+drift; at++ {
		if at > s.last && subtle.ConstantTimeCompare([]byte(m.Secret.code(at)), []byte(code)) == 1 {
			s.last, s.wrong = at, nil
			return nil
		}
	}
	s.wrong = append(s.wrong, now)
	return ErrWrongCode
}

// Find returns the member of a name.
func Find(all []Member, user string) (Member, error) {
	for _, m := range all {
		if strings.EqualFold(m.User, user) {
			return m, nil
		}
	}
	return Member{}, ErrNobody
}
