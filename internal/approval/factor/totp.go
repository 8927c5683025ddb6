// Package factor checks who votes: the people that are known, and the codes of their authenticators (TOTP, RFC 6238).
package factor

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

const (
	step       = 30 * time.Second
	digits     = 6
	modulo     = 1_000_000
	secretSize = 20
	minSecret  = 16
)

var encoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// A Secret is shared by weir and a person's authenticator.
type Secret []byte

// NewSecret returns a new secret.
func NewSecret() Secret {
	s := make(Secret, secretSize)
	rand.Read(s) // crypto/rand.Read never fails
	return s
}

// ErrSecret says that a text is no secret.
var ErrSecret = errors.New("this is no secret of an authenticator")

// ParseSecret parses a secret as authenticators show it: base32, with blanks or without.
func ParseSecret(text string) (Secret, error) {
	text = strings.TrimRight(strings.ToUpper(strings.Join(strings.Fields(text), "")), "=")
	s, err := encoding.DecodeString(text)
	if err != nil || len(s) < minSecret {
		return nil, ErrSecret
	}
	return s, nil
}

// String writes the secret as authenticators take it.
func (s Secret) String() string { return encoding.EncodeToString(s) }

// Address is the address by which an authenticator learns the secret.
func (s Secret) Address(user string) string {
	q := url.Values{"secret": {s.String()}, "issuer": {"weir"}}
	return "otpauth://totp/weir:" + url.PathEscape(user) + "?" + q.Encode()
}

// Code is the code of a moment.
func (s Secret) Code(at time.Time) string { return s.code(at.Unix() / int64(step/time.Second)) }

func (s Secret) code(counter int64) string {
	var moment [8]byte
	binary.BigEndian.PutUint64(moment[:], uint64(counter))
	mac := hmac.New(sha1.New, s) // what authenticators use by default
	mac.Write(moment[:])
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 0x0f
	number := binary.BigEndian.Uint32(sum[at:at+4]) & 0x7fffffff
	return fmt.Sprintf("%0*d", digits, number%modulo)
}
