// Package shim is the door around an MCP server process: it runs in place of the process, and passes all messages through an
// mcp.Session.
package shim

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp"
	"github.com/weir-gate/weir/internal/mcp/child"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/queue"
	"github.com/weir-gate/weir/internal/mcp/reach"
)

// Config sets up a shim.
type Config struct {
	Server  call.MCPServer
	Process child.Config
	Judge   mcp.Judge
	In      io.Reader // from the client
	Out     io.Writer // to the client: messages, and nothing else
	// Signals are passed on to the process. After SIGINT, SIGTERM and SIGHUP the process has Grace to end; nil: no signals.
	Signals <-chan os.Signal
	Grace   time.Duration // see Signals; 0: 5 seconds
	// Linger is how long the process may be silent after the client's input has ended, before it is told to end; 0: 30 seconds.
	Linger time.Duration
	// MaxMessage is how many bytes a message may have; 0: 16 MiB.
	MaxMessage int
	Log        *slog.Logger // nil: no log
}

// shim is the state of one run.
type shim struct {
	cfg     Config
	session *mcp.Session
	server  *reach.Process
	batches batches
	// toServers and toClients are the messages that the sides have not read yet.
	toServers, toClients *queue.Queue[written]
	// ended is closed when the client accepts no more output, stuck when the server does not read, and silent when the client's input
	// has ended.
	ended, stuck, silent chan struct{}
	endOnce, stuckOnce   sync.Once
	heard                atomic.Int64 // messages of the server
}

// written are messages that are written together.
type written struct {
	messages []*jsonrpc.Message
	batch    bool // as one array
}

const (
	// maxQueued is how many bytes may wait for one side to read.
	maxQueued = 64 << 20
	// overhead is about the memory of a message, beside its bytes.
	overhead = 512
)

// newQueue returns a queue of messages for one side, so that a side that does not read does not block the other one.
func newQueue() *queue.Queue[written] {
	return queue.New(queue.Config[written]{Bound: queue.NewBound(maxQueued), Size: func(w written) (n int) {
		for _, m := range w.messages {
			n += len(m.Raw) + overhead
		}
		return n
	}})
}

// errFull says that one side does not read its messages.
var errFull = errors.New("too much waits to be read")

// put adds something to a queue. It fails if too much waits there.
func put(q *queue.Queue[written], w written) error {
	q.Put(w)
	if q.Exceeded() {
		return errFull
	}
	return nil
}

// Run starts the process, and returns when it has ended. status is the exit code for the program that runs in its place. The error
// says why the process could not be started.
func Run(ctx context.Context, cfg Config) (status int, err error) {
	if cfg.Grace == 0 {
		cfg.Grace = 5 * time.Second
	}
	if cfg.Linger == 0 {
		cfg.Linger = 30 * time.Second
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	s := &shim{
		cfg: cfg, toServers: newQueue(), toClients: newQueue(),
		ended: make(chan struct{}), stuck: make(chan struct{}), silent: make(chan struct{}),
	}
	s.session = mcp.New(mcp.Config{Server: cfg.Server, Judge: cfg.Judge, Log: cfg.Log})
	s.server, err = reach.Run(reach.StdioConfig{Process: cfg.Process, MaxMessage: cfg.MaxMessage, Noise: s.noise})
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	written := make(chan struct{})
	go func() {
		s.writeToClient()
		close(written)
	}()
	go s.writeToServer()
	go s.fromClient(ctx)
	go s.supervise(ctx)
	s.fromServer(ctx)
	exit := s.server.Wait()
	s.toServers.Close()
	s.toClients.Close()
	select {
	case <-written:
	case <-s.ended:
	case <-ctx.Done():
	}
	s.session.ClientGone()
	return exit.Status(), nil
}

// lastWords is how long the last messages of the server may wait for the judge after the server is gone.
const lastWords = 30 * time.Second

// fromServer passes messages of the server to the client, until the server is gone. Then weir responds to the open requests.
func (s *shim) fromServer(ctx context.Context) {
	defer s.server.Close() // it is gone already, or must end
	for {
		m, err := s.server.Receive(ctx)
		s.heard.Add(1)
		var refused *jsonrpc.Refused
		switch {
		case err == nil:
			s.session.FromServer(ctx, m, mcp.Way{Forward: s.toClient, Respond: s.toServer, Drop: func() {}})
		case errors.As(err, &refused):
			s.tell(s.session.RefusedFromServer(refused))
		default:
			s.serverGone(ctx, err)
			return
		}
	}
}

func (s *shim) serverGone(ctx context.Context, why error) {
	if ctx.Err() == nil {
		s.cfg.Log.Info("the server ended", "server", s.cfg.Server.ID, "why", why)
	}
	answers := s.session.ServerGone("the server ended before it responded")
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	if err := s.session.Wait(last); err != nil {
		s.cfg.Log.Warn("the server's last words were not judged in time", "server", s.cfg.Server.ID)
	}
	for _, m := range answers {
		s.toClient(m)
	}
}

// fromClient passes messages of the client to the server, until there are no more. Then the server's input ends, and it may still
// respond.
func (s *shim) fromClient(ctx context.Context) {
	reader := jsonrpc.NewReader(jsonrpc.ReaderConfig{Source: s.cfg.In, MaxMessage: s.cfg.MaxMessage, Noise: s.strayInput})
	for {
		m, err := reader.Next()
		var refused *jsonrpc.Refused
		switch {
		case err == nil:
			s.batches.note(m)
			s.session.FromClient(ctx, m, mcp.Way{
				Forward: func(out *jsonrpc.Message) {
					s.toServer(out)
					s.takenBack(m)
				},
				Respond: s.toClient,
				Drop:    func() { s.dropped(m) },
			})
		case errors.As(err, &refused):
			s.batches.noteRefused(refused)
			s.tell(s.session.RefusedFromClient(refused))
		default:
			_ = s.session.Wait(ctx) // messages that wait for the judge may still be passed on
			s.toServers.Close()
			close(s.silent)
			return
		}
	}
}

// strayInput responds to text of the client that is not a message. The response has no id.
func (s *shim) strayInput(n jsonrpc.Noise) {
	s.cfg.Log.Warn("text of the client that is no message was not passed on", "server", s.cfg.Server.ID, "bytes", n.Size)
	s.toClient(jsonrpc.NewError(jsonrpc.ID{}, jsonrpc.CodeParse, "weir: the text is no JSON-RPC message", nil))
}

// noise logs output of the server that is not a message.
func (s *shim) noise(n jsonrpc.Noise) {
	s.cfg.Log.Debug("output of the server that is no message was not passed on", "server", s.cfg.Server.ID, "bytes", n.Size)
}

// supervise passes signals on, and ends the process when the client or weir is gone.
func (s *shim) supervise(ctx context.Context) {
	silent := s.silent
	for {
		select {
		case signal := <-s.cfg.Signals:
			if err := s.server.Signal(signal); err != nil {
				s.cfg.Log.Debug("a signal was not passed on", "server", s.cfg.Server.ID, "err", err)
			}
			if ends(signal) {
				go s.stopAfter(ctx, s.cfg.Grace)
			}
		case <-silent:
			silent = nil
			go s.linger(ctx)
		case <-s.ended:
			s.server.Stop(ctx)
			return
		case <-s.stuck:
			s.server.Stop(ctx) // open requests get their responses when it is gone
			return
		case <-ctx.Done():
			s.server.Stop(context.WithoutCancel(ctx))
			return
		}
	}
}

// linger ends a process whose client sends no more, and that neither ends nor sends anything.
func (s *shim) linger(ctx context.Context) {
	for before := int64(-1); before != s.heard.Load(); {
		before = s.heard.Load()
		select {
		case <-time.After(s.cfg.Linger):
		case <-ctx.Done():
			return
		}
	}
	s.cfg.Log.Info("the server goes on after its input ended, and is ended", "server", s.cfg.Server.ID)
	s.server.Stop(ctx)
}

// stopAfter ends a process that was told to end and did not.
func (s *shim) stopAfter(ctx context.Context, grace time.Duration) {
	select {
	case <-time.After(grace):
		s.server.Stop(ctx)
	case <-ctx.Done():
	}
}

// tell sends each side its message; nil: none.
func (s *shim) tell(toClient, toServer *jsonrpc.Message) {
	if toClient != nil {
		s.toClient(toClient)
	}
	if toServer != nil {
		s.toServer(toServer)
	}
}

// toServer passes a message on.
func (s *shim) toServer(m *jsonrpc.Message) {
	if err := put(s.toServers, written{messages: []*jsonrpc.Message{m}}); err != nil {
		s.stuckOnce.Do(func() {
			s.cfg.Log.Warn("the server does not read, and is ended", "server", s.cfg.Server.ID, "err", err)
			close(s.stuck)
		})
	}
}

// writeToServer writes the messages for the server, until the queue is closed. Then it closes the server's input.
func (s *shim) writeToServer() {
	for {
		w, ok := s.toServers.Next()
		if !ok {
			_ = s.server.EndInput() // the server may have closed it
			return
		}
		if err := s.server.Send(context.Background(), w.messages[0]); err != nil {
			return // it has ended, or is being ended: its reader notices
		}
	}
}

// toClient passes a message on. Responses to requests of one array are sent in one array.
func (s *shim) toClient(m *jsonrpc.Message) {
	messages, whole := s.batches.respond(m)
	s.send(messages, whole)
}

// dropped handles a message of the client that was not passed on. If it was a cancellation, the session has still given up the
// request.
func (s *shim) dropped(m *jsonrpc.Message) {
	if m.Kind == jsonrpc.Request {
		s.unanswered(m.ID)
		return
	}
	s.takenBack(m)
}

// takenBack notes that the client no longer wants a response to a request, if the message cancels one.
func (s *shim) takenBack(m *jsonrpc.Message) {
	if m.Kind != jsonrpc.Notification || m.Method != "notifications/cancelled" {
		return
	}
	requestID, _ := m.Param("requestId") // it is missing if it is ambiguous
	if id, err := jsonrpc.ReadID(requestID); err == nil {
		s.unanswered(id)
	}
}

// unanswered notes that a request gets no response. Other requests of the same array do not wait for it.
func (s *shim) unanswered(id jsonrpc.ID) {
	messages, whole := s.batches.drop(id)
	s.send(messages, whole)
}

func (s *shim) send(messages []*jsonrpc.Message, whole bool) {
	if len(messages) == 0 {
		return
	}
	if err := put(s.toClients, written{messages, whole}); err != nil {
		s.end("the client does not read", err)
	}
}

// writeToClient writes the messages for the client, until the queue is closed.
func (s *shim) writeToClient() {
	client := jsonrpc.NewWriter(s.cfg.Out)
	for {
		w, ok := s.toClients.Next()
		if !ok {
			return
		}
		var err error
		if w.batch {
			err = client.WriteBatch(w.messages)
		} else {
			err = client.Write(w.messages[0])
		}
		if err != nil {
			s.end("the client is gone", err)
			return
		}
	}
}

// end ends the run: the client accepts no more output.
func (s *shim) end(why string, err error) {
	s.endOnce.Do(func() {
		s.cfg.Log.Info(why, "server", s.cfg.Server.ID, "err", err)
		s.session.ClientGone()
		close(s.ended)
	})
}
