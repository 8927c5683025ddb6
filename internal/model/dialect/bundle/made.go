package bundle

import (
	"net/http"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/openaierror"
)

// KeepAlive implements dialect.Dialect: the format has no line without content.
func (d *editor) KeepAlive() (frame.Frame, bool) { return frame.Frame{}, false }

// Tail implements dialect.Dialect: nothing is added after the last response.
func (d *editor) Tail() []frame.Frame { return nil }

// Stop implements dialect.Dialect: it adds the result of one more request, which failed, or replaces the body by an error.
func (d *editor) Stop(notice string) []frame.Frame {
	if d.done {
		return nil
	}
	d.done = true
	return []frame.Frame{{Data: d.failure(notice)}}
}

// batchPath is in the paths of a batch API with its own row format.
const batchPath = "/messages/batches/"

// failure returns a notice in the format of the API of the bundle.
func (d *editor) failure(notice string) []byte {
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
		// If rows have a status, a status that is not empty is an error text.
		return []byte(`{"key":"weir","status":` + text + `,"error":` + failed + `}`)
	case operation:
		return []byte(`{"done":true,"error":` + failed + `}`)
	}
	return openaierror.Render(dialect.Error{Status: http.StatusBadRequest, Message: notice})
}
