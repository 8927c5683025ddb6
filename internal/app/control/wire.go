// Package control connects to the one judge of a machine: over a unix socket in the state folder, weir mcp wrap asks and weir serve
// responds.
package control

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/budget"
)

// The paths of the requests. Both sides are processes of one machine, but perhaps of different versions of weir. So a change that
// the other side would misunderstand gets a new path.
const (
	pathHello   = "/v1/hello"
	pathEnter   = "/v1/enter"
	pathCall    = "/v1/call"
	pathTools   = "/v1/tools"
	pathGiven   = "/v1/given"
	pathRefused = "/v1/refused"
	pathPins    = "/v1/pins"
)

// maxMessage is the largest request or response, in bytes. Bytes of messages are written in base64.
const maxMessage = 64 << 20

// Hello is what a running weir says about itself.
type Hello struct {
	Version string `json:"version"`
	PID     int    `json:"pid"`
	// Admitted says that the key of the request belongs to a client, or that no key is needed.
	Admitted bool `json:"admitted"`
	// Policy is the policy in force, if Admitted; zero: this weir does not say.
	Policy PolicyInForce `json:"policy,omitzero"`
	// Standing is what else is known of this weir, if Admitted.
	Standing Standing `json:"standing,omitzero"`
}

// Standing is how a running weir is set up, and what it does now.
type Standing struct {
	Since       time.Time     `json:"since"`           // when it was started
	Address     string        `json:"address"`         // where it listens
	Config      string        `json:"config,omitzero"` // its configuration; "": none
	Store       string        `json:"store"`           // without secrets
	Location    string        `json:"location"`        // of the store, the same for every user; "": not known
	Enforcement string        `json:"enforcement"`
	Sessions    []OpenSession `json:"sessions"`
	Held        []HeldCall    `json:"held,omitzero"` // the oldest calls that are held now
}

// A HeldCall is a call that is held now.
type HeldCall struct {
	ID      call.ID   `json:"id"`
	Tool    string    `json:"tool"`
	Since   time.Time `json:"since"`
	Who     string    `json:"who,omitzero"`
	Session string    `json:"session,omitzero"`
	Model   string    `json:"model,omitzero"`
}

// An OpenSession is a session of weir run that has not ended.
type OpenSession struct {
	ID     string `json:"id"`
	Folder string `json:"folder,omitzero"`
}

// PolicyInForce is the policy that a running weir uses.
type PolicyInForce struct {
	Source  string `json:"source"` // its file
	Version string `json:"version"`
	// Trouble says why the current content of the file is not in force; "": it is, or will be at the next look.
	Trouble string `json:"trouble,omitzero"`
}

// A callRequest has the arguments in separate fields, because their exact bytes are judged.
type callRequest struct {
	Call   call.Call `json:"call"`
	Args   []byte    `json:"args,omitempty"`
	Beside []byte    `json:"beside,omitempty"`
	Ruling ruling    `json:"ruling,omitzero"` // of an invalid call that was refused
}

func (q callRequest) call() call.Call {
	q.Call.Args, q.Call.MCP.Beside = q.Args, q.Beside
	return q.Call
}

func callRequestOf(c call.Call) callRequest {
	q := callRequest{Call: c, Args: c.Args, Beside: c.MCP.Beside}
	q.Call.Args, q.Call.MCP.Beside = nil, nil
	return q
}

// A ruling is a call.Ruling with the new arguments as bytes, for the same reason.
type ruling struct {
	Released bool       `json:"released"`
	Args     []byte     `json:"args,omitempty"`
	Beside   []byte     `json:"beside,omitempty"`
	Code     string     `json:"code,omitzero"`
	Reason   string     `json:"reason,omitzero"`
	Rule     string     `json:"rule,omitzero"`
	Policy   string     `json:"policy,omitzero"`
	Contact  string     `json:"contact,omitzero"`
	Approval string     `json:"approval,omitzero"`
	Silent   bool       `json:"silent,omitzero"`
	Call     call.ID    `json:"call,omitzero"`
	Trace    call.Trace `json:"trace,omitzero"`
	Judged   int64      `json:"judged_ns,omitzero"`
	Recorded int64      `json:"recorded_ns,omitzero"`
}

func (r ruling) ruling() call.Ruling {
	return call.Ruling{
		Released: r.Released, Args: r.Args, Beside: r.Beside, Code: r.Code, Reason: r.Reason, Rule: r.Rule, Policy: r.Policy, Silent: r.Silent,
		Call: r.Call, Trace: r.Trace, Contact: r.Contact, Approval: r.Approval,
		Judged: time.Duration(r.Judged), Recorded: time.Duration(r.Recorded),
	}
}

func rulingOf(r call.Ruling) ruling {
	return ruling{
		Released: r.Released, Args: r.Args, Beside: r.Beside, Code: r.Code, Reason: r.Reason, Rule: r.Rule, Policy: r.Policy, Silent: r.Silent,
		Call: r.Call, Trace: r.Trace, Contact: r.Contact, Approval: r.Approval,
		Judged: int64(r.Judged), Recorded: int64(r.Recorded),
	}
}

type toolsRequest struct {
	Listing call.Listing `json:"listing"`
	Tools   [][]byte     `json:"tools"`
}

func (q toolsRequest) listing() call.Listing {
	q.Listing.Tools = make([]jsontext.Value, len(q.Tools))
	for i, t := range q.Tools {
		q.Listing.Tools[i] = t
	}
	return q.Listing
}

type toolsResponse struct {
	Offer call.Offer `json:"offer"`
	// Trouble says why no part of the listing may reach the client; "": some may.
	Trouble string `json:"trouble,omitzero"`
}

// An enterResponse says why a shim may not serve for an MCP server; "": it may.
type enterResponse struct {
	Trouble string `json:"trouble,omitzero"`
}

type givenRequest struct {
	Given  call.Given `json:"given"`
	Result []byte     `json:"result,omitempty"`
	Error  []byte     `json:"error,omitempty"`
}

func (q givenRequest) given() call.Given {
	q.Given.Result, q.Given.Error = q.Result, q.Error
	return q.Given
}

// errTooLong says that a request or response is over the bound.
var errTooLong = errors.New("the message is too long")

// decode reads one request or response. Its memory, for the bytes and the decoded value, is charged to the share; nil: it is not
// counted.
func decode(r io.Reader, into any, room *budget.Share) error {
	data, err := budget.ReadAll(r, maxMessage, budget.Unknown, room)
	if errors.Is(err, budget.ErrTooLong) {
		return errTooLong
	}
	if err == nil {
		err = room.Add(2 * len(data))
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// encode writes one response.
func encode(w http.ResponseWriter, response any) {
	data, err := json.Marshal(response, lenient)
	if err != nil {
		http.Error(w, "the response cannot be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(data) // a client that is gone does not need it
}

// lenient leaves out zero fields, and replaces invalid UTF-8 in texts. Names are compared folded anyway, and a record with a
// replacement character is better than none.
var lenient = json.JoinOptions(jsontext.AllowInvalidUTF8(true), json.OmitZeroStructFields(true))
