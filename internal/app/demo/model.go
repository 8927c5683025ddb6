package demo

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/weir-gate/weir/internal/model/wire"
)

// A model is a scripted model on loopback. It responds to the first request with the first scene, and so on.
type model struct {
	scenes []scene
	pace   time.Duration
	screen *screen
	turn   atomic.Int64
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := int(m.turn.Add(1)) - 1
	if n >= len(m.scenes) {
		http.Error(w, "the script is over", http.StatusGone)
		return
	}
	kit := m.scenes[n].format.Kit
	w.Header().Set("Content-Type", kit.Framing.ContentType())
	flush := http.NewResponseController(w)
	for _, step := range kit.Stream(m.scenes[n].turn(n)) {
		if says := line(step.News); says != "" {
			m.screen.show(modelColumn, says, plain)
		}
		if _, err := w.Write(kit.Encode(step)); err != nil {
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

// line returns the text for the screen; "": there is nothing to show.
func line(n wire.News) string {
	switch {
	case n.Tool != "" && n.Args != "":
		return "call  " + n.Tool + " " + n.Args
	case n.Tool != "":
		return "call  " + n.Tool
	case n.Args != "":
		return "      " + n.Args
	case n.Stop != "":
		return "stop  " + n.Stop
	case n.Text != "":
		return "text  " + n.Text
	}
	return ""
}

// serve starts the model and returns its address and a function that ends it.
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
			m.screen.show(modelColumn, "the scripted model ended: "+err.Error(), m.screen.style.Red)
		}
	}()
	stop := func() {
		server.Shutdown(context.Background()) // the script is over, nothing is open
		<-done
	}
	return "http://" + l.Addr().String(), stop, nil
}
