package proxy

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
)

// codeRefused is the code of every refusal that weir itself decides.
const codeRefused = "firewall_blocked"

// A failure is weir's own response in place of an upstream's. Its message has no text that others wrote.
type failure struct {
	status  int
	message string
	code    string // "": something failed; it is not a refusal
	// retry says that trying again may help. If not set, SDKs are told not to retry.
	retry bool
}

// refusal is a failure that weir itself decides.
func refusal(status int, message string) *failure {
	return &failure{status: status, message: message, code: codeRefused}
}

// render puts a failure into the client's format, as far as that is known: it sets the header and returns the body.
func (x *exchange) render(f *failure) []byte {
	message := f.message
	if f.code != "" {
		message += " (" + f.code + ")"
	}
	if x.trouble == "" {
		x.trouble = message
	}
	h := x.W.Header()
	h.Set("Content-Type", "application/json")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Request-Id", x.id)
	if !f.retry {
		h.Set("X-Should-Retry", "false")
	}
	e := dialect.Error{Status: f.status, Message: message, RequestID: x.id}
	body := plainError(e)
	if format := x.errorFormat(); format != nil {
		if format.ErrorHeader != nil {
			format.ErrorHeader(h, e)
		}
		body = format.Error(e)
	}
	if x.wants == frame.Elements {
		body = append(append([]byte{'['}, body...), ']')
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	return body
}

// errorFormat is the format in which the client expects errors; nil: unknown.
func (x *exchange) errorFormat() *dialect.Format {
	if f := x.spoken(); f != nil {
		return f
	}
	return x.format()
}

// spoken is the format of a client that shows for certain which API it is for, whatever it asks for; nil: unknown.
func (x *exchange) spoken() *dialect.Format {
	for i := range x.door.cfg.Formats {
		if f := &x.door.cfg.Formats[i]; f.Speaks != nil && f.Speaks(x.R, x.path) {
			return f
		}
	}
	return nil
}

// plainError is an error for a client whose format is not known, in the shape that most clients look for.
func plainError(e dialect.Error) []byte {
	var body struct {
		Error struct {
			Type    string `json:"type"`
			Message string `json:"message"`
		} `json:"error"`
		RequestID string `json:"request_id"`
	}
	body.Error.Type, body.Error.Message, body.RequestID = "weir_error", e.Message, e.RequestID
	b, err := json.Marshal(&body)
	if err != nil {
		return []byte(`{"error":{"type":"weir_error"}}`)
	}
	return b
}

// routes is the message for a wrong address: it says which addresses weir serves.
func (d *Door) routes() string {
	names := d.served.Load().names
	if len(names) == 0 {
		return "nothing is served at this address; weir has no upstreams"
	}
	return "nothing is served at this address; an address begins with the name of an upstream: /" +
		strings.Join(names, "/…, /") + "/…"
}

// unreachable is the failure if weir cannot reach the upstream.
func unreachable(upstream string) *failure {
	return &failure{status: http.StatusBadGateway, message: "weir cannot reach the upstream " + upstream, retry: true}
}

// brokenOff is the failure if a response broke off before anything of it was sent on.
func brokenOff(upstream string) *failure {
	return &failure{status: http.StatusBadGateway, message: "the upstream " + upstream + " broke off its response", retry: true}
}

// silent is the failure if an upstream sent nothing for too long.
func silent(upstream string) *failure {
	return &failure{status: http.StatusGatewayTimeout, message: "the upstream " + upstream + " did not respond in time", retry: true}
}
