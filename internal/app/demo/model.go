package demo

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/weir-gate/weir/internal/frame"
)

// A model is a scripted model on loopback. It answers the first request with the first scene, and so on.
type model struct {
	scenes []scene
	pace   time.Duration
	screen *screen
	turn   atomic.Int64
}

// contentTypes are what the streams of the wires are called.
var contentTypes = map[frame.Framing]string{
	frame.Events: "text/event-stream", frame.Rows: "application/x-ndjson", frame.Binary: "application/vnd.amazon.eventstream",
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := int(m.turn.Add(1)) - 1
	if n >= len(m.scenes) {
		http.Error(w, "the script is over", http.StatusGone)
		return
	}
	w.Header().Set("Content-Type", contentTypes[m.scenes[n].wire.framing()])
	flush := http.NewResponseController(w)
	for _, e := range m.scenes[n].wire.script(m.scenes[n], n) {
		if e.says != "" {
			m.screen.show(modelColumn, e.says, plain)
		}
		if _, err := w.Write([]byte(e.frame)); err != nil {
			return
		}
		if flush.Flush() != nil {
			return
		}
		select {
		case <-time.After(m.pace):
		case <-r.Context().Done():
			return
		}
	}
}

// serve starts the model and returns its address and what ends it.
func (m *model) serve() (string, func(), error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: m, ReadHeaderTimeout: 5 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			m.screen.show(modelColumn, "the scripted model ended: "+err.Error(), bad)
		}
	}()
	stop := func() {
		server.Shutdown(context.Background()) //nolint:errcheck // the script is over, nothing is open
		<-done
	}
	return "http://" + l.Addr().String(), stop, nil
}
