package reach

import (
	"net/http"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/streamable"
)

// mirror sets the headers that repeat parts of the body of a message in a stateless version. It reports false if the message is not
// in such a version.
func mirror(h http.Header, m *jsonrpc.Message) bool {
	meta, err := m.Param("_meta")
	if err != nil {
		return false
	}
	value, err := meta.Member(streamable.MetaVersion)
	version, ok := value.Text()
	if err != nil || !ok || !isVersion(version) {
		return false
	}
	h.Set(streamable.HeaderVersion, version)
	h.Set(streamable.HeaderMethod, streamable.EncodeValue(m.Method))
	if member := streamable.Named[m.Method]; member != "" {
		// Without a name there is nothing to repeat. The server decides what to do with such a message.
		if name, err := m.ParamText(member); err == nil && name != "" {
			h.Set(streamable.HeaderName, streamable.EncodeValue(name))
		}
	}
	return true
}

// isVersion reports whether text has the form of a version, which is a date.
func isVersion(text string) bool {
	const form = "0000-00-00"
	if len(text) != len(form) {
		return false
	}
	for i := range len(form) {
		isDigit := '0' <= text[i] && text[i] <= '9'
		if isDigit != (form[i] == '0') || !isDigit && text[i] != form[i] {
			return false
		}
	}
	return true
}
