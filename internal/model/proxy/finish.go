package proxy

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"

	"github.com/weir-gate/weir/internal/intake/ingress"
	"github.com/weir-gate/weir/internal/text/echo"
)

// finish ends the exchange and logs it. It turns a panic into a broken connection: other requests are not affected, and the client
// cannot take what it got for a complete response.
func (q *asking) finish() {
	defer q.Close()
	p := recover()
	if p != nil && p != http.ErrAbortHandler {
		q.trouble = panicText(p)
		q.door.cfg.Log.Error("panic while serving a request", "request", q.id, "panic", q.trouble, "stack", string(debug.Stack()))
	}
	q.log()
	q.count()
	if q.answering != nil {
		q.answering.recordFailure()
	}
	q.archive()
	if p != nil {
		panic(http.ErrAbortHandler)
	}
	q.GiveTimeToEnd()
}

// panicText is what the log says about a panic: the runtime's own message, or else only the type of the value, because its text may
// come from others.
func panicText(p any) string {
	if err, ok := p.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%T", p)
}

// count counts the exchange in the metrics.
func (q *asking) count() {
	if q.own != nil {
		return
	}
	name := ""
	if q.upstream != nil {
		name = q.upstream.name
	}
	q.door.cfg.Metrics.Request(name, q.Status)
	if q.answering != nil && q.answering.status() >= http.StatusInternalServerError {
		q.door.cfg.Metrics.UpstreamError(name)
	}
}

func (q *asking) log() {
	attrs := []slog.Attr{
		slog.String("request", q.id), slog.String("method", q.Method()), slog.Int("status", q.Status),
		slog.Duration("took", q.Took()),
	}
	if q.upstream != nil {
		path := q.path
		if q.hidden {
			path = echo.Redacted
		}
		attrs = append(attrs, slog.String("upstream", q.upstream.name), slog.String("path", path))
	}
	if q.known {
		attrs = append(attrs, slog.String("endpoint", q.endpoint.Treatment.String()))
	}
	if from := ingress.From(q.R); from != "" {
		attrs = append(attrs, slog.String("from", from))
	}
	if q.Actor.Key != "" {
		attrs = append(attrs, slog.String("key", q.Actor.Key))
	}
	if q.answering != nil && q.answering.masked {
		attrs = append(attrs, slog.Bool("key_masked", true))
	}
	if q.trouble != "" {
		attrs = append(attrs, slog.String("trouble", q.trouble))
	}
	q.door.cfg.Log.LogAttrs(q.R.Context(), slog.LevelInfo, "request", attrs...)
}
