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

// NewNonce makes up what one call is told from all others by.
func NewNonce() string { return rand.Text() }

// A Response is what came back.
type Response struct {
	Status int
	Text   bool // the text around the call is there
	Notice bool // and so is weir's notice of the refusal
	Call   bool // something of the call is there
}

const (
	// maxResponse bounds a response, in bytes.
	maxResponse = 1 << 20
	// patience is how long a response may take.
	patience = 20 * time.Second
)

// Ask asks through a client of HTTP, and says what the response has in it.
func Ask(ctx context.Context, client *http.Client, q Request) (Response, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	path, body := q.Format.Kit.Request(asked, q.Streamed)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, q.Base+path, strings.NewReader(body))
	if err != nil {
		return Response{}, errors.New("the address cannot be used") // the error has it, and it may have a key
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

// withoutAddress is the cause of an error, without the address that was asked: a key may be in it.
func withoutAddress(err error) error {
	for wrapped := errors.Unwrap(err); wrapped != nil; wrapped = errors.Unwrap(wrapped) {
		if !strings.Contains(wrapped.Error(), "://") {
			return wrapped
		}
	}
	return errors.New("nobody answered")
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

// escape is a character of JSON that is written by its number.
var escape = regexp.MustCompile(`\\u00[0-7][0-9a-fA-F]`)

// unescape replaces characters of ASCII that are written by their numbers.
func unescape(s string) string {
	return escape.ReplaceAllStringFunc(s, func(found string) string {
		n, err := strconv.ParseUint(found[2:], 16, 8)
		if err != nil {
			return found
		}
		return string(rune(n))
	})
}
