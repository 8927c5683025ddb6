// Package streamable has what both ends of MCP's Streamable HTTP share: versions of the protocol, headers, and fields of events.
package streamable

import (
	"bytes"
	"encoding/base64"
	"iter"
	"strings"
)

// The versions of the protocol with special treatment.
const (
	VersionLegacy    = "2024-11-05" // of servers with the old transport
	VersionBatches   = "2025-03-26" // the only one with arrays of messages; also assumed for a client that names none
	VersionNewest    = "2025-11-25" // the newest with sessions
	VersionStateless = "2026-07-28" // the only one without sessions: every request names its version
)

// SessionVersions are the versions with MCP sessions, the oldest first.
var SessionVersions = []string{VersionLegacy, VersionBatches, "2025-06-18", VersionNewest}

// MetaVersion is the member of _meta with the version of one request.
const MetaVersion = "io.modelcontextprotocol/protocolVersion"

// The headers of MCP, as net/http spells them.
const (
	HeaderVersion   = "Mcp-Protocol-Version"
	HeaderSession   = "Mcp-Session-Id"
	HeaderLastEvent = "Last-Event-Id"
	HeaderMethod    = "Mcp-Method"
	HeaderName      = "Mcp-Name"
	PrefixParam     = "Mcp-Param-"
)

// The content types of responses.
const (
	MediaJSON   = "application/json"
	MediaEvents = "text/event-stream"
)

// Named maps a method to the member of its params that HeaderName repeats.
var Named = map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

// MaxEventID is how many bytes an event's id may have: it is sent back in a header.
const MaxEventID = 1024

// The prefix and suffix of a value that is encoded because a header cannot hold it otherwise.
const (
	base64Prefix = "=?base64?"
	base64Suffix = "?="
)

// DecodeValue decodes a header that repeats a part of the body. It is not ok if readers could decode it differently.
func DecodeValue(value string) (text string, ok bool) {
	inner, wrapped := strings.CutPrefix(value, base64Prefix)
	if !wrapped {
		// Some readers ignore the case of the prefix.
		if len(value) >= len(base64Prefix) && strings.EqualFold(value[:len(base64Prefix)], base64Prefix) {
			return "", false
		}
		return value, true
	}
	inner, ended := strings.CutSuffix(inner, base64Suffix)
	if !ended {
		return value, true
	}
	decoded, err := base64.StdEncoding.Strict().DecodeString(inner)
	if err != nil || strings.ContainsAny(inner, "\r\n") {
		return "", false
	}
	return string(decoded), true
}

// EncodeValue encodes a text for a header that repeats a part of the body.
func EncodeValue(text string) string {
	if IsVisible(text) && !strings.HasPrefix(strings.ToLower(text), base64Prefix) {
		return text
	}
	return base64Prefix + base64.StdEncoding.EncodeToString([]byte(text)) + base64Suffix
}

// IsVisible says whether a text is visible ASCII; blanks are allowed inside.
func IsVisible(text string) bool {
	return strings.Trim(text, " ") == text && strings.IndexFunc(text, func(c rune) bool { return c < ' ' || c > '~' }) < 0
}

// Fields returns the fields of an event and their values.
func Fields(raw []byte) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for line := range bytes.FieldsFuncSeq(raw, func(c rune) bool { return c == '\n' || c == '\r' }) {
			name, value, _ := strings.Cut(strings.TrimPrefix(string(line), "\ufeff"), ":")
			if !yield(name, strings.TrimPrefix(value, " ")) {
				return
			}
		}
	}
}
