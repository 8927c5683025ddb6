package gateway

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/streamable"
	"github.com/weir-gate/weir/internal/strictjson"
	"github.com/weir-gate/weir/internal/text/inert"
)

// versionOf returns the version that the headers name; "": none.
func versionOf(h http.Header) (string, *failure) {
	version, ok := single(h, streamable.HeaderVersion)
	switch {
	case !ok:
		return "", badRequest("the header MCP-Protocol-Version is there twice")
	case version == "" || version == streamable.VersionStateless || slices.Contains(streamable.SessionVersions, version):
		return version, nil
	}
	return "", unsupported(version, append(slices.Clone(streamable.SessionVersions), streamable.VersionStateless))
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
