package gateway

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/text/inert"
)

// The versions of the protocol with special treatment.
const (
	versionLegacy    = "2024-11-05" // of servers with the old transport
	versionBatches   = "2025-03-26" // the only one with arrays of messages; also assumed for a client that names none
	versionNewest    = "2025-11-25" // the newest with sessions
	versionStateless = "2026-07-28" // the only one without sessions
)

// sessionVersions are the versions with MCP sessions.
var sessionVersions = []string{versionLegacy, versionBatches, "2025-06-18", versionNewest}

// The headers of MCP, in the form in which net/http has them.
const (
	headerVersion   = "Mcp-Protocol-Version"
	headerSession   = "Mcp-Session-Id"
	headerLastEvent = "Last-Event-Id"
	headerMethod    = "Mcp-Method"
	headerName      = "Mcp-Name"
	prefixParam     = "Mcp-Param-"
)

// metaVersion is the member of _meta with the version of one request.
const metaVersion = "io.modelcontextprotocol/protocolVersion"

// versionOf returns the version that the headers name; "": none.
func versionOf(h http.Header) (string, *failure) {
	version, ok := single(h, headerVersion)
	switch {
	case !ok:
		return "", badRequest("the header MCP-Protocol-Version is there twice")
	case version == "" || version == versionStateless || slices.Contains(sessionVersions, version):
		return version, nil
	}
	return "", unsupported(version, append(slices.Clone(sessionVersions), versionStateless))
}

// unsupported is the failure of a request in a version that is not supported for the server.
func unsupported(version string, supported []string) *failure {
	f := badRequest("this version of the protocol is not supported here; supported are " + strings.Join(supported, ", "))
	f.code = jsonrpc.CodeVersion
	data := []byte(`{"supported":[`)
	for i, v := range supported {
		if i > 0 {
			data = append(data, ',')
		}
		data = strictjson.AppendString(data, v)
	}
	data = append(data, `],"requested":`...)
	f.data = jsontext.Value(append(strictjson.AppendString(data, inert.Text(version, 32)), '}'))
	return f
}

// single returns the value of a header; "" if there is none. It is not ok if there are several.
func single(h http.Header, name string) (value string, ok bool) {
	switch values := h[name]; len(values) {
	case 0:
		return "", true
	case 1:
		return values[0], true
	}
	return "", false
}
