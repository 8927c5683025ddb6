package clients

import (
	"net/http"
	"slices"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// Sent is a turn of the model as it is sent to a client: in frames, or whole.
type Sent struct {
	Streamed bool
	Type     string   // of the content of a stream
	Frames   []string // of a stream, each in its framing
	End      string   // closes a stream
	Body     string   // the turn whole

	// What a scene may send in place of the rest.
	Bad        string          // a frame that cannot be read
	Fault      string          // a frame by which the API says that it is overloaded
	Overloaded scripted.Answer // what says so whole
	Rejected   scripted.Answer // what finds fault with the tools

	// How many frames there are up to points in a turn of a text and a call.
	Text  int // behind the first piece of the text
	Call  int // behind the call
	Piece int // behind the first piece of the call
}

// A Play is a way to send a turn. release is closed when the client has got as far as the scene waits for; nil: plainly.
type Play func(s Sent, release <-chan struct{}) scripted.Answer

// Send sends a turn.
func (p Play) Send(s Sent, release <-chan struct{}) scripted.Answer {
	switch {
	case p != nil:
		return p(s, release)
	case s.Streamed:
		return s.stream(append(slices.Clip(s.Frames), s.End))
	}
	return JSON(http.StatusOK, s.Body)
}

// stream is a stream of frames, and what happens then.
func (s Sent) stream(frames []string, then ...scripted.Step) scripted.Answer {
	a := scripted.Answer{Header: http.Header{"Content-Type": {s.Type}}}
	for _, f := range frames {
		if f != "" {
			a.Steps = append(a.Steps, scripted.Write([]byte(f)))
		}
	}
	a.Steps = append(a.Steps, then...)
	return a
}

// waiting sends the first frames, and the rest when the client has got so far.
func waiting(upTo func(Sent) int) Play {
	return func(s Sent, release <-chan struct{}) scripted.Answer {
		n := upTo(s)
		a := s.stream(s.Frames[:n], scripted.Wait(release))
		a.Steps = append(a.Steps, s.stream(append(slices.Clip(s.Frames[n:]), s.End)).Steps...)
		return a
	}
}

// garbled sends the beginning of a text and then a frame that cannot be read, and does not end; a body lacks its last byte.
func garbled(s Sent, _ <-chan struct{}) scripted.Answer {
	if s.Streamed {
		return s.stream(append(slices.Clip(s.Frames[:s.Text]), s.Bad), scripted.Wait(nil))
	}
	return JSON(http.StatusOK, s.Body[:len(s.Body)-1])
}

// dying drops the connection within a frame in the middle of a call, or in the middle of the body.
func dying(s Sent, _ <-chan struct{}) scripted.Answer {
	if s.Streamed {
		next := s.Frames[s.Piece]
		return s.stream(append(slices.Clip(s.Frames[:s.Piece]), next[:len(next)/2]), scripted.Abort)
	}
	return JSON(http.StatusOK, s.Body[:len(s.Body)/2], scripted.Abort)
}

// overloaded tells of an overload in the middle of a call, or in place of the body.
func overloaded(s Sent, _ <-chan struct{}) scripted.Answer {
	if s.Streamed {
		return s.stream(append(slices.Clip(s.Frames[:s.Piece]), s.Fault, s.End))
	}
	return s.Overloaded
}

// rejecting finds fault with the request.
func rejecting(s Sent, _ <-chan struct{}) scripted.Answer { return s.Rejected }

// redirecting sends the client to another address.
func redirecting(Sent, <-chan struct{}) scripted.Answer {
	return scripted.Answer{
		Status: http.StatusTemporaryRedirect, Header: http.Header{"Location": {"http://127.0.0.1:1/v1"}},
		Steps: []scripted.Step{scripted.Write(nil)},
	}
}
