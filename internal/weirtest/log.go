package weirtest

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// A weirLog keeps all that a weir logs, and tells when a policy was loaded.
type weirLog struct {
	slog.Handler
	text   *logText
	loaded chan struct{}
}

func newLog() weirLog {
	text := &logText{}
	options := &slog.HandlerOptions{Level: slog.LevelDebug}
	return weirLog{Handler: slog.NewTextHandler(text, options), text: text, loaded: make(chan struct{}, 1)}
}

// Handle implements slog.Handler.
func (l weirLog) Handle(ctx context.Context, r slog.Record) error {
	if r.Message == "policy loaded" {
		select {
		case l.loaded <- struct{}{}:
		default: // nobody has waited for the one before
		}
	}
	return l.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (l weirLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	l.Handler = l.Handler.WithAttrs(attrs)
	return l
}

// WithGroup implements slog.Handler.
func (l weirLog) WithGroup(name string) slog.Handler {
	l.Handler = l.Handler.WithGroup(name)
	return l
}

// String is all that was logged so far.
func (l weirLog) String() string { return l.text.String() }

// A logText is text that may be read while it is written.
type logText struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (t *logText) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

func (t *logText) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}

// configuredKeys finds the keys in a configuration.
var configuredKeys = regexp.MustCompile(`\bkey: *"?([^\s"},]+)`)

// keyHeaders are where agents send their keys; keyParameters, where they do so in a query.
var (
	keyHeaders    = []string{"authorization", "x-api-key", "api-key", "x-goog-api-key", "x-weir-key"}
	keyParameters = []string{"key", "$key", "access_token"}
)

// secrets are the keys that an exchange has to do with.
func (p *play) secrets() []string {
	var list []string
	for _, m := range configuredKeys.FindAllStringSubmatch(p.inForce("weir.yaml"), -1) {
		list = append(list, m[1])
	}
	for _, name := range keyHeaders {
		list = append(list, strings.TrimPrefix(p.request.get(name), "Bearer "))
	}
	_, target, _ := strings.Cut(p.request.first, " ")
	if u, err := url.Parse(target); err == nil {
		for _, name := range keyParameters {
			list = append(list, u.Query()[name]...)
		}
	}
	return list
}

// keptSecret checks that no key is in the log or in the record.
func (p *play) keptSecret() error {
	for _, secret := range p.secrets() {
		switch {
		case secret == "", secret == absent:
		case strings.Contains(p.log, secret):
			return fmt.Errorf("the key %s is in the log:\n%s", secret, p.log)
		case bytes.Contains(p.record.text, []byte(secret)):
			return fmt.Errorf("the key %s is in the record", secret)
		}
	}
	return nil
}
