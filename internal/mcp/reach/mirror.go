package reach

import (
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
)

// The names of headers, as net/http spells them.
const (
	headerSession   = "Mcp-Session-Id"
	headerVersion   = "Mcp-Protocol-Version"
	headerMethod    = "Mcp-Method"
	headerName      = "Mcp-Name"
	headerLastEvent = "Last-Event-Id"
)

// metaVersion is the member of _meta in which a message of a stateless version names its version.
const metaVersion = "io.modelcontextprotocol/protocolVersion"

// named maps a method to the member of its params that the header repeats.
var named = map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

// mirror sets the headers that repeat parts of the body of a message in a stateless version. It reports false if the message is not
// in such a version.
func mirror(h http.Header, m *jsonrpc.Message) bool {
	meta, err := m.Param("_meta")
	if err != nil {
		return false
	}
	value, err := meta.Member(metaVersion)
	version, ok := value.Text()
	if err != nil || !ok || !isVersion(version) {
		return false
	}
	h.Set(headerVersion, version)
	h.Set(headerMethod, encodeHeader(m.Method))
	if member := named[m.Method]; member != "" {
		// Without a name there is nothing to repeat. The server decides what to do with such a message.
		if name, err := m.ParamText(member); err == nil && name != "" {
			h.Set(headerName, encodeHeader(name))
		}
	}
	return true
}

// encodeHeader returns text as the value of a header: unchanged if a header can hold it, else encoded.
func encodeHeader(text string) string {
	const prefix, suffix = "=?base64?", "?="
	if isVisible(text) && !strings.HasPrefix(text, prefix) {
		return text
	}
	return prefix + base64.StdEncoding.EncodeToString([]byte(text)) + suffix
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
