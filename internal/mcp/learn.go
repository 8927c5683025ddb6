package mcp

import (
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The largest lengths of texts of a server that are remembered, in bytes.
const (
	maxTaskID  = 1024
	maxVersion = 32
)

// learn notes what a response says about the session itself. It returns false if that could be read in more than one way.
func (s *Session) learn(r *request, m *jsonrpc.Message) bool {
	if m.Result == nil {
		return true
	}
	switch r.method {
	case initialize:
		return s.learnVersion(m)
	case toolsCall:
		return s.learnTask(r, m)
	}
	return true
}

// learnVersion notes the protocol version that the server chose.
func (s *Session) learnVersion(m *jsonrpc.Message) bool {
	v, err := m.ResultMember("protocolVersion")
	if err != nil {
		return false
	}
	version, _ := v.Text()
	if len(version) > maxVersion {
		version = ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version = version
	return true
}

// learnTask notes the task that replaces the result of a call. Its id is a member of the result, or, in older versions, of the
// member task of the result.
func (s *Session) learnTask(r *request, m *jsonrpc.Message) bool {
	task, err := m.ResultMember(memberTask)
	if err != nil {
		return false
	}
	within, err := task.Member(memberTaskID)
	if err != nil {
		return false
	}
	direct, err := m.ResultMember(memberTaskID)
	if err != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range []strictjson.Value{within, direct} {
		// A task belongs to the first call that named it.
		if id, ok := v.Text(); ok && len(id) <= maxTaskID && s.tasks.find(id) == nil {
			s.tasks.add(id, taskOrigin{call: r.call, tool: r.tool})
		}
	}
	return true
}

// A taskOrigin is the call that a task belongs to.
type taskOrigin struct {
	call call.ID
	tool string
}

// taskOrigin returns the call that a task belongs to; the zero value if it is not known.
func (s *Session) taskOrigin(id string) (origin taskOrigin) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.tasks.find(id); known != nil {
		origin = *known
	}
	return origin
}
