package bundle

import (
	"net/http"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/openaierror"
)

// KeepAlive implements dialect.Dialect: there is no line that says nothing.
func (d *response) KeepAlive() (frame.Frame, bool) { return frame.Frame{}, false }

// Tail implements dialect.Dialect: every response has said what it has to say.
func (d *response) Tail() []frame.Frame { return nil }

// Stop implements dialect.Dialect: with the result of one more request, which failed, or with an error in place of a body.
func (d *response) Stop(notice string) []frame.Frame {
	if d.done {
		return nil
	}
	d.done = true
	return []frame.Frame{{Data: d.failure(notice)}}
}

// batchPath is in the paths of a batch API that has words of its own.
const batchPath = "/messages/batches/"

// failure is a notice in the words of the API whose bundle it is.
func (d *response) failure(notice string) []byte {
	kind, text := d.shape, dialect.Quote(notice)
	switch {
	case kind != noShape:
	case strings.Contains(d.opts.Path, batchPath):
		kind = anthropicRow
	case !d.opts.Whole:
		kind = openaiRow
	}
	failed := `{"code":400,"message":` + text + `,"status":"INVALID_ARGUMENT"}`
	switch kind {
	case anthropicRow:
		return []byte(`{"custom_id":"weir","result":{"type":"errored","error":{"type":"error","error":{` +
			`"type":"invalid_request_error","message":` + text + `},"request_id":null}}}`)
	case openaiRow:
		return []byte(`{"id":"batch_req_weir","custom_id":"weir","response":null,"error":{"code":"firewall_blocked","message":` + text + `}}`)
	case geminiRow:
		// Where rows have a status, one that is not empty says what went wrong.
		return []byte(`{"key":"weir","status":` + text + `,"error":` + failed + `}`)
	case operation:
		return []byte(`{"done":true,"error":` + failed + `}`)
	}
	return openaierror.Render(dialect.Error{Status: http.StatusBadRequest, Message: notice})
}
