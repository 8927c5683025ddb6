package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/weir-gate/weir/internal/intake/ingress"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/mcp/streamable"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The largest sizes of what a server says about its protection, in bytes.
const (
	maxChallenge = 4 << 10
	maxMetadata  = 64 << 10
)

// wellKnown is the beginning of the path of the document that describes the protection of a resource (RFC 9728). The path of the
// resource follows it.
const wellKnown = "/.well-known/oauth-protected-resource"

// metadataParameter finds the address of this document in a challenge.
var metadataParameter = regexp.MustCompile(`(?i)\bresource_metadata\s*=\s*("[^"]*"|[^\s",]+)`)

// ownMetadata returns a server's challenge with weir's address of the document in place of the server's. Else the document would
// name the server as the resource; the client would see that it uses another address, and fail, or bypass weir.
func (x *exchange) ownMetadata(challenge string) string {
	return metadataParameter.ReplaceAllLiteralString(challenge, `resource_metadata="`+x.ownURL(wellKnown+x.R.URL.EscapedPath())+`"`)
}

// ownURL is weir's address as in the client's request, with another path.
func (x *exchange) ownURL(path string) string {
	u := url.URL{Scheme: "http", Host: x.R.Host}
	if ingress.Secure(x.R) {
		u.Scheme = "https"
	}
	return u.String() + path
}

// cutWellKnown returns the path of the resource whose document is asked for. It is not ok if the request is for something else.
func cutWellKnown(r *http.Request) (path string, ok bool) {
	path, ok = strings.CutPrefix(r.URL.EscapedPath(), wellKnown)
	return path, ok && strings.HasPrefix(path, "/")
}

// metadata responds with the document of a server that gets the client's own credential. The document names weir's address as the
// resource.
func (x *exchange) metadata(path string) {
	if x.R.Method != http.MethodGet || x.server.Type != typeHTTP || !x.server.Passthrough {
		x.fail(fail(http.StatusNotFound, jsonrpc.CodeInvalidRequest, "no client needs a credential for this server"))
		return
	}
	w := newWatch(x.R.Context(), x.server.Timeout)
	defer w.stop()
	text, err := x.fetchMetadata(w.ctx)
	if err != nil {
		x.fail(x.trouble(w.explain(err)))
		return
	}
	if text == nil {
		x.fail(fail(http.StatusNotFound, jsonrpc.CodeInvalidRequest, "the server does not say how it is protected"))
		return
	}
	var doc strictjson.Doc
	err = doc.Parse(text)
	edit, editErr := doc.Root().SetMember("resource", strictjson.AppendString(nil, x.ownURL(path)))
	if err != nil || editErr != nil {
		x.fail(x.trouble(errors.New("what it says of its protection cannot be read")))
		return
	}
	x.response.begin(http.StatusOK, streamable.MediaJSON)
	_, _ = x.Write(strictjson.Splice(text, edit)) // fails only if the client is gone
}

// fetchMetadata gets the document from the server, from the two addresses where it may be; nil: it is at neither.
func (x *exchange) fetchMetadata(ctx context.Context) ([]byte, error) {
	for _, path := range []string{wellKnown + x.server.URL.EscapedPath(), wellKnown} {
		u, err := x.server.URL.Parse(path)
		if err != nil {
			return nil, errors.New("its address cannot be read")
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
		if err != nil {
			return nil, errors.New("the request cannot be made")
		}
		req.Header.Set("Accept", streamable.MediaJSON)
		resp, err := x.server.HTTP.Do(req)
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(io.LimitReader(resp.Body, maxMetadata+1))
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK || !isMedia(resp, streamable.MediaJSON) {
			continue
		}
		if err != nil || len(text) > maxMetadata {
			return nil, errors.New("what it says of its protection broke off, or is too large")
		}
		return text, nil
	}
	return nil, nil
}
