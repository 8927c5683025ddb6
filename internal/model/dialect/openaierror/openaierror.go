// Package openaierror renders errors as OpenAI's APIs do, in all of their formats.
package openaierror

import (
	"net/http"

	"github.com/weir-gate/weir/internal/model/dialect"
)

// errorKinds are the API's types and codes of errors by HTTP status.
var errorKinds = map[int]struct{ kind, code string }{
	http.StatusBadRequest:          {"invalid_request_error", "firewall_blocked"},
	http.StatusUnauthorized:        {"invalid_request_error", "invalid_api_key"},
	http.StatusForbidden:           {"invalid_request_error", "permission_denied"},
	http.StatusNotFound:            {"invalid_request_error", "not_found"},
	http.StatusTooManyRequests:     {"rate_limit_error", "rate_limit_exceeded"},
	http.StatusInternalServerError: {"server_error", "server_error"},
}

// Render renders weir's own error as the API would.
func Render(e dialect.Error) []byte {
	k, ok := errorKinds[e.Status]
	switch {
	case !ok && e.Status < 500:
		k = errorKinds[http.StatusBadRequest]
	case !ok:
		k = errorKinds[http.StatusInternalServerError]
	}
	return []byte(`{"error":{"message":` + dialect.Quote(e.Message) + `,"type":` + dialect.Quote(k.kind) +
		`,"param":null,"code":` + dialect.Quote(k.code) + `}}`)
}
