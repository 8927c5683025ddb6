package daemon

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/app/project"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/intake/httpdoor"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/summary"
)

// sessions are the sessions that weir run has opened. It implements control.Sessions.
type sessions struct {
	d *Daemon

	mu   sync.Mutex
	byID map[string]*session
	open sync.WaitGroup
}

// A session is a program that weir run started, and all programs that it starts.
type session struct {
	id    string
	token string
	actor call.Actor
	// policy changes only by an exception that a person has written for it.
	policy atomic.Pointer[policy.Policy]
	source string // where the policy was read from
	// sources are the files of the policy; nil: it is part of another file.
	sources *policy.Sources
	// folder is where weir run was started; "": it is not known.
	folder string
	// loopback are ports of the machine that it may reach, in addition to those of the configuration.
	loopback map[uint16]bool
	ended    bool // the end of its program was reported
	started  bool
}

// maxSessions is how many sessions may be open at once.
const maxSessions = 256

// sessionID is the form of the id of a session. The id is shown, and is not secret.
var sessionID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{5,63}$`)

func newSessions(d *Daemon) *sessions { return &sessions{d: d, byID: map[string]*session{}} }

// policyOf returns the policy of a session; nil: there is no such session.
func (s *sessions) policyOf(id string) *policy.Policy {
	if found := s.find(id); found != nil {
		return found.policy.Load()
	}
	return nil
}

// folderOf returns the folder of a session; "": it is not known.
func (s *sessions) folderOf(id string) string {
	if found := s.find(id); found != nil {
		return project.Folder(found.folder)
	}
	return ""
}

func (s *sessions) find(id string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byID[id]
}

// policies returns the policies of all sessions.
func (s *sessions) policies() []*policy.Policy {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*policy.Policy
	for _, found := range s.byID {
		out = append(out, found.policy.Load())
	}
	return out
}

// Open implements control.Sessions.
func (s *sessions) Open(who call.Actor, q control.SessionRequest) (a control.SessionResponse, done func(), err error) {
	opened, err := s.admit(who, q)
	if err != nil {
		return a, nil, err
	}
	l, err := listenAt(q.Port)
	if err != nil {
		s.remove(opened)
		return a, nil, err
	}
	port := uint16(l.Addr().(*net.TCPAddr).Port)
	s.d.admission.Open(opened.token, opened.actor)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan struct{})
	go func() {
		defer close(served)
		server := s.d.server(httpdoor.ServerConfig{Handler: opened.only(s.d.handler()), Grace: lastResponses})
		if err := server.Serve(ctx, l); err != nil && ctx.Err() == nil {
			s.d.cfg.Log.Error("serve a session", "session", opened.id, "err", err)
		}
	}()
	s.open.Add(1)
	return s.respond(opened, port), sync.OnceFunc(func() {
		defer s.open.Done()
		s.d.admission.Close(opened.token)
		cancel()
		<-served
		s.close(opened)
	}), nil
}

// lastResponses is how long open responses may take after the end of their session.
const lastResponses = time.Second

// listenAt opens the address of a session.
func listenAt(port uint16) (net.Listener, error) {
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port)))
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen for the session: %w", err)
	}
	return l, nil
}

// admit checks and adds a new session.
func (s *sessions) admit(who call.Actor, q control.SessionRequest) (*session, error) {
	if !sessionID.MatchString(q.ID) || !admission.IsSessionToken(q.Token) || len(q.Token) < minToken {
		return nil, errors.New("the session has no valid id or token; weir run and weir serve must have the same version")
	}
	opened := &session{
		id: q.ID, token: q.Token, actor: who, source: s.d.cfg.Policy.Path, loopback: map[uint16]bool{}, folder: q.Folder,
	}
	opened.policy.Store(s.d.policy.current())
	opened.actor.Session = q.ID
	if !s.d.cfg.Policy.Inline {
		opened.sources = s.d.policy.sources.Load()
	}
	for _, port := range q.Loopback {
		opened.loopback[port] = true
	}
	if err := s.choosePolicy(opened, q); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.byID[q.ID] != nil:
		return nil, errors.New("there is already a session with this id; try again")
	case len(s.byID) >= maxSessions:
		return nil, fmt.Errorf("there are already %d sessions; end some", maxSessions)
	}
	s.byID[q.ID] = opened
	return opened, nil
}

// choosePolicy gives a session the policy that it asks for: its own, or the policy with which it began before weir was restarted. A
// weir with clients has one policy for all of them.
func (s *sessions) choosePolicy(opened *session, q control.SessionRequest) error {
	shared, given := s.d.admission.HasClients(), q.Policy
	switch {
	case given != nil && shared:
		return errors.New("this weir has clients, and they all use its policy; remove --policy")
	case given == nil && !shared:
		given = q.Fixed
	}
	if given == nil {
		return nil
	}
	sources := given.Sources()
	sources.Own = s.d.cfg.Policy.Own
	p, err := policy.ParseSources(sources)
	if err == nil {
		err = checkAsking(p, s.d.cfg.Config)
	}
	if err != nil {
		return err
	}
	opened.policy.Store(p)
	opened.source, opened.sources = given.Source, &sources
	return nil
}

// minToken is the least length of a token that cannot be guessed.
const minToken = 24

func (s *sessions) remove(gone *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byID, gone.id)
}

// close removes a session. If the end of its program was not reported, weir run is gone, or weir itself ends.
func (s *sessions) close(gone *session) {
	s.mu.Lock()
	delete(s.byID, gone.id)
	lost := gone.started && !gone.ended
	s.mu.Unlock()
	s.d.judge.SessionEnded(gone.id)
	if lost {
		s.d.recorder.Record(record.Event{
			Time: time.Now(), Type: record.Types.SessionEnded, Actor: gone.actor, Ruling: record.Ruling{PolicyVersion: gone.policy.Load().Version()},
			Detail: record.SessionEnded{Lost: true},
		}, nil)
	}
}

// only serves requests with the token of the session, and refuses others: everything at this address is done in the name of the
// session.
func (s *session) only(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key, _ := admission.KeyOf(r)
		if subtle.ConstantTimeCompare([]byte(key), []byte(s.token)) != 1 {
			http.Error(w, "this address is that of a session: use it with the session's prefix, as weir run gave it", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Started implements control.Sessions.
func (s *sessions) Started(_ call.Actor, q control.SessionStarted) {
	s.mu.Lock()
	found := s.byID[q.ID]
	if found == nil || found.started {
		s.mu.Unlock()
		return
	}
	found.started = true
	s.mu.Unlock()
	q.Detail.Policy, q.Detail.Source = found.policy.Load().Version(), found.source
	s.d.recorder.Record(record.Event{
		Time: time.Now(), Type: record.Types.SessionStarted, Actor: found.actor,
		Ruling: record.Ruling{PolicyVersion: found.policy.Load().Version()},
		Detail: q.Detail,
	}, nil)
}

// Ended implements control.Sessions.
func (s *sessions) Ended(ctx context.Context, _ call.Actor, q control.SessionEnded) summary.Session {
	s.mu.Lock()
	found := s.byID[q.ID]
	if found != nil {
		found.ended = true
	}
	s.mu.Unlock()
	if found == nil {
		return summary.Session{Trouble: "weir does not know the session"}
	}
	s.d.admission.Close(found.token) // processes that the program left behind can no longer use it
	recorded := make(chan error, 1)
	// When this is recorded, everything before it is recorded, too.
	s.d.recorder.Record(record.Event{
		Time: time.Now(), Type: record.Types.SessionEnded, Actor: found.actor,
		Ruling: record.Ruling{PolicyVersion: found.policy.Load().Version()},
		Detail: record.SessionEnded{Exit: q.Exit},
	}, func(err error) { recorded <- err })
	select {
	case err := <-recorded:
		if err != nil {
			return summary.Session{Trouble: "the record could not be written"}
		}
	case <-ctx.Done():
		return summary.Session{Trouble: "the record took too long"}
	}
	return summary.Of(ctx, s.d.follower, found.id)
}

// wait waits until all sessions are over.
func (s *sessions) wait() { s.open.Wait() }
