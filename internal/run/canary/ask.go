package canary

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/policy"
)

// A Request asks the canary for a turn.
type Request struct {
	// Base is the address of the canary's upstream at a weir, such as http://127.0.0.1:4141/canary; without a slash at its end.
	Base     string
	Format   dialect.Format
	Streamed bool
	Nonce    string // see NewNonce
}

// NewNonce returns a random text that identifies one call.
func NewNonce() string { return rand.Text() }

// A Response says what the response of the canary had in it.
type Response struct {
	Status int
	Text   bool // it has the text around the call
	Notice bool // it has weir's notice of the refusal
	Call   bool // it has some part of the call
}

const (
	// maxResponse bounds a response, in bytes.
	maxResponse = 1 << 20
	// patience is how long a response may take.
	patience = 20 * time.Second
)

// Ask asks the canary through an HTTP client, and says what the response has in it.
func Ask(ctx context.Context, client *http.Client, q Request) (Response, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	path, body := q.Format.Kit.Request(asked, q.Streamed)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, q.Base+path, strings.NewReader(body))
	if err != nil {
		return Response{}, errors.New("the address cannot be used") // the original error has the address, which may have a key in it
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set(Header, q.Nonce)
	resp, err := client.Do(req)
	if err != nil {
		return Response{}, withoutAddress(err)
	}
	defer resp.Body.Close() // it was read
	got, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse))
	if err != nil {
		return Response{}, fmt.Errorf("read the response: %w", withoutAddress(err))
	}
	a := examine(got, q.Format.Kit.Marks, q.Nonce)
	a.Status = resp.StatusCode
	return a, nil
}

// withoutAddress returns the cause of an error without the address, which may have a key in it.
func withoutAddress(err error) error {
	for wrapped := errors.Unwrap(err); wrapped != nil; wrapped = errors.Unwrap(wrapped) {
		if !strings.Contains(wrapped.Error(), "://") {
			return wrapped
		}
	}
	return errors.New("nobody responded")
}

// examine looks for the parts of a turn.
func examine(body []byte, marks []string, nonce string) Response {
	plain := unescape(string(body))
	a := Response{
		Text:   strings.Contains(plain, text),
		Notice: strings.Contains(plain, call.NoticePrefix) && strings.Contains(plain, "rule "+policy.RuleCanary),
	}
	a.Call = strings.Contains(strings.ToUpper(plain), nonce)
	for _, mark := range marks {
		a.Call = a.Call || strings.Contains(plain, mark)
	}
	return a
}

// escape matches an ASCII character that JSON writes as a number.
var escape = regexp.MustCompile(`\\u00[0-7][0-9a-fA-F]`)

// unescape decodes ASCII characters that are written as numbers.
func unescape(s string) string {
	return escape.ReplaceAllStringFunc(s, func(found string) string {
		n, err := strconv.ParseUint(found[2:], 16, 8)
		if err != nil {
			return found
		}
		return string(rune(n))
	})
}
