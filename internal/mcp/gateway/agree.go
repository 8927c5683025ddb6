package gateway

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/streamable"
	"github.com/weir-gate/weir/internal/strictjson"
)

// mismatch is the failure of a request whose headers do not match its body.
func mismatch(message string) *failure {
	return fail(http.StatusBadRequest, jsonrpc.CodeHeaderMismatch, message)
}

// agree checks that the headers that mirror the body match it. The stateless version requires these headers; in other versions they
// may be missing. The judge rules on the body, so nobody on the path to the server may see another request in the headers.
func agree(h http.Header, m *jsonrpc.Message, params *paramTable) *failure {
	version, _ := single(h, streamable.HeaderVersion) // checked before
	if f := agreeVersion(version, m); f != nil {
		return f
	}
	if f := plainNames(h); f != nil {
		return f
	}
	must := version == streamable.VersionStateless && m.Kind != jsonrpc.Response
	if f := agreeValue(h, streamable.HeaderMethod, m.Method, must); f != nil {
		return f
	}
	name, named, err := nameOf(m)
	if err != nil {
		return mismatch("what the body names can be read in more than one way")
	}
	if f := agreeValue(h, streamable.HeaderName, name, must && named); f != nil {
		return f
	}
	return agreeParams(h, m, params)
}

// agreeVersion checks the version that the body names.
func agreeVersion(header string, m *jsonrpc.Message) *failure {
	meta, err := m.Param("_meta")
	if err != nil {
		return badRequest("the request's _meta can be read in more than one way")
	}
	member, err := meta.Member(streamable.MetaVersion)
	if err != nil {
		return badRequest("the version in the request's _meta can be read in more than one way")
	}
	body, isText := member.Text()
	switch {
	case member.Kind() == strictjson.Missing:
		if header == streamable.VersionStateless && m.Kind == jsonrpc.Request {
			return fail(http.StatusBadRequest, jsonrpc.CodeInvalidParams, "the request's _meta does not name the version of the protocol")
		}
		return nil
	case !isText || body != header:
		return mismatch("the header MCP-Protocol-Version and the request's _meta name different versions, or only one names it")
	}
	return nil
}

// plainNames refuses headers that some servers take for headers of MCP: those servers treat an underscore like a dash.
func plainNames(h http.Header) *failure {
	for name := range h {
		canonical := http.CanonicalHeaderKey(strings.ReplaceAll(name, "_", "-"))
		if name != canonical && (strings.HasPrefix(canonical, "Mcp-") || canonical == streamable.HeaderLastEvent) {
			return mismatch("a header of MCP is spelled with an underscore")
		}
	}
	return nil
}

// agreeValue checks one header. It may be missing unless must is set.
func agreeValue(h http.Header, name, body string, must bool) *failure {
	if h[name] == nil && !must {
		return nil
	}
	value, ok := single(h, name)
	if !ok || h[name] == nil {
		return mismatch("the header " + name + " must be there, once")
	}
	if text, ok := streamable.DecodeValue(value); !ok || text != body || body == "" {
		return mismatch("the header " + name + " does not say what the body says")
	}
	return nil
}

// nameOf returns the name of what a request asks for: a tool, a prompt or a resource. named says that a header must mirror it.
func nameOf(m *jsonrpc.Message) (name string, named bool, err error) {
	member, named := streamable.Named[m.Method]
	if m.Method == "resources/subscribe" || m.Method == "resources/unsubscribe" {
		member = "uri"
	}
	if member == "" {
		return "", false, nil
	}
	name, err = m.ParamText(member)
	return name, named, err
}

// agreeParams checks the headers that mirror arguments of a tool. The tool's definition says which argument each header mirrors.
// While the definition is not known, the header must match any of the arguments.
func agreeParams(h http.Header, m *jsonrpc.Message, params *paramTable) *failure {
	seen := 0
	for name := range h {
		suffix, isParam := strings.CutPrefix(name, streamable.PrefixParam)
		if !isParam {
			continue
		}
		if seen++; seen > maxToolParams {
			return mismatch("there are too many headers Mcp-Param")
		}
		value, ok := single(h, name)
		text, decoded := streamable.DecodeValue(value)
		if !ok || !decoded || len(params.mirrored(m, suffix, text)) == 0 {
			return mismatch("a header Mcp-Param does not say what the body says")
		}
	}
	return nil
}

// mirror updates the headers, which match the message before, to match the message after it was rewritten. A header whose argument
// is gone is removed.
func mirror(h http.Header, before, after *jsonrpc.Message, params *paramTable) {
	if before == after {
		return
	}
	if name, _, err := nameOf(after); h[streamable.HeaderName] != nil && err == nil {
		h.Set(streamable.HeaderName, streamable.EncodeValue(name))
	}
	args, err := after.Param("arguments")
	if err != nil {
		args = strictjson.Value{}
	}
	for _, name := range slices.Collect(maps.Keys(h)) {
		if suffix, isParam := strings.CutPrefix(name, streamable.PrefixParam); isParam {
			old, _ := streamable.DecodeValue(h.Get(name))
			mirrorParam(h, name, old, args, params.mirrored(before, suffix, old))
		}
	}
}

// mirrorParam sets one header to the argument at its path. If several paths are possible, a rewritten argument is preferred: the
// server can refuse a wrong value, but a secret that was sent cannot be taken back.
func mirrorParam(h http.Header, name, old string, args strictjson.Value, paths []paramPath) {
	h.Del(name)
	for _, path := range paths {
		if text, ok := primitiveText(path.in(args)); ok && (h[name] == nil || text != old) {
			h.Set(name, streamable.EncodeValue(text))
		}
	}
}

// unmirror removes the headers that mirror a body.
func unmirror(h http.Header) {
	h.Del(streamable.HeaderMethod)
	h.Del(streamable.HeaderName)
	for name := range h {
		if strings.HasPrefix(name, streamable.PrefixParam) {
			h.Del(name)
		}
	}
}
