package proxy

import (
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/intake/httpdoor"
	"github.com/weir-gate/weir/internal/intake/ingress"
)

// requestHeader is the part of a client's header that is sent to an upstream.
func requestHeader(client http.Header) http.Header {
	h := client.Clone()
	httpdoor.RemoveHopByHop(h)
	for _, name := range []string{"Content-Length", "Expect"} { // the body is complete, and its length may have changed
		h.Del(name)
	}
	if h.Get("User-Agent") == "" {
		h["User-Agent"] = []string{""} // else net/http names itself
	}
	return h
}

// askPlain asks for a complete and uncompressed response, so that the gate can read it.
func askPlain(h http.Header) {
	h.Set("Accept-Encoding", "identity")
	h.Del("Range")
	h.Del("If-Range")
}

// unwanted are headers of upstreams that must not reach a client of weir: they would send it past weir, or set rules in a browser
// for the address that weir listens on. Prefixes end in a dash.
var unwanted = []string{
	// Other addresses, whatever their values look like.
	"Location", "Content-Location", "Refresh", "Link", "Alt-Svc", "Alt-Used", "Uri", "Operation-Location", "Azure-Asyncoperation",
	"X-Accel-", "X-Sendfile", "Sourcemap", "X-Sourcemap", "Host", "Forwarded", "X-Forwarded-",
	// What a browser stores for, or allows to, an address.
	"Set-Cookie", "Set-Cookie2", "Strict-Transport-Security", "Public-Key-Pins", "Public-Key-Pins-Report-Only", "Expect-Ct", "Clear-Site-Data",
	"Content-Security-Policy", "Content-Security-Policy-Report-Only", "Access-Control-", "Cross-Origin-", "Permissions-Policy",
	"Feature-Policy", "Document-Policy", "Origin-", "Origin-Trial", "Service-Worker-", "Timing-Allow-Origin", "X-Frame-Options",
	"X-Permitted-Cross-Domain-Policies", "Report-To", "Reporting-Endpoints", "Nel", "Accept-Ch", "Critical-Ch", "Speculation-Rules",
	"Supports-Loading-Mode", "X-Dns-Prefetch-Control", "Sec-",
}

// isUnwanted says whether a client must not get a header.
func isUnwanted(name string, values []string) bool {
	name = http.CanonicalHeaderKey(name)
	listed := slices.ContainsFunc(unwanted, func(u string) bool {
		return name == u || strings.HasSuffix(u, "-") && strings.HasPrefix(name, u)
	})
	return listed || !slices.Contains(namesOnly, name) && slices.ContainsFunc(values, leadsElsewhere.MatchString)
}

// namesOnly are headers in which an address is only part of a name that nobody connects to: Amazon's SDKs identify errors by it.
var namesOnly = []string{"X-Amzn-Errortype"}

// leadsElsewhere finds the address of a host in a value, with a scheme or without, whatever the header's name is.
var leadsElsewhere = regexp.MustCompile(`(?i)\b(?:https?|wss?|ftp|file|javascript|data):[/\\]|` +
	`(?:^|[\s<>"'=,;:(])[/\\]{2}(?:[\w-]+\.|localhost|\[|[\w.-]+:\d)`)

// ofTheBytes are headers that are only correct for exactly the bytes that the upstream sent.
var ofTheBytes = []string{
	"Content-Length", "Content-Encoding", "Content-Range", "Accept-Ranges", "Etag", "Last-Modified", "Content-Md5", "Digest",
	"Content-Digest", "Repr-Digest",
}

// continued are headers with an address at which the client is to continue. An address of the upstream itself is replaced by weir's
// own.
var continued = []string{"X-Goog-Upload-Url", "X-Goog-Upload-Control-Url", "Operation-Location"}

// copyHeader copies the part of an upstream's header that the client may have.
func (a *answering) copyHeader(from http.Header) {
	to, h := a.W.Header(), from.Clone()
	httpdoor.RemoveHopByHop(h)
	for _, name := range continued {
		if own := a.ownAddress(h.Get(name)); own != "" {
			to[name] = []string{own}
		}
		h.Del(name)
	}
	for name, values := range h {
		if !isUnwanted(name, values) {
			to[name] = values
		}
	}
	if to["Content-Type"] == nil {
		to["Content-Type"] = nil // else net/http invents one
	}
}

// ownAddress turns an address of the upstream into the one at which the client reaches it through weir, with the host and the key
// of its request; "": it is not an address of the upstream.
func (a *answering) ownAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != a.upstream.url.Scheme || !strings.EqualFold(u.Host, a.upstream.url.Host) || u.User != nil {
		return ""
	}
	path, err := cleanPath(u.EscapedPath())
	if err != nil || a.upstream.base != "/" && !startsWith(path, a.upstream.base) {
		return ""
	}
	if a.upstream.base != "/" {
		path = strings.TrimPrefix(path, a.upstream.base)
	}
	own := "http://"
	if ingress.Secure(a.R) {
		own = "https://"
	}
	own += a.R.Host
	if first, rest := cutSegment(a.R.URL.EscapedPath()); first == admission.KeySegment {
		key, _ := cutSegment(rest)
		own += "/" + admission.KeySegment + "/" + key
	}
	own += "/" + a.upstream.name + path
	if u.RawQuery != "" {
		own += "?" + u.RawQuery
	}
	return own
}

// removeByteHeaders removes the headers that are no longer correct once weir has written the body.
func removeByteHeaders(h http.Header) {
	for _, name := range ofTheBytes {
		h.Del(name)
	}
}

// isStream says whether a content type is that of server-sent events.
func isStream(value string) bool {
	return strings.EqualFold(mediaType(value), frame.Events.ContentType())
}

// isRows says whether a content type is that of lines of JSON.
func isRows(value string) bool { return strings.EqualFold(mediaType(value), frame.Rows.ContentType()) }

// isJSONLines says whether a content type is one of those for files with a JSON text in each line.
func isJSONLines(value string) bool {
	switch strings.ToLower(mediaType(value)) {
	case "application/x-jsonl", "application/jsonl", "application/jsonlines", "application/x-jsonlines", "application/json-lines":
		return true
	}
	return false
}

func mediaType(value string) string {
	media, _, _ := strings.Cut(value, ";")
	return strings.TrimSpace(media)
}

// correctContentType sets a content type that fits the body. The upstream's own stays unless it is wrong, or names a character set
// in which a client would read other text than the gate did. If there is none, none is set.
func correctContentType(h http.Header, framing frame.Framing) {
	own := h["Content-Type"]
	if len(own) == 0 {
		return
	}
	_, params, err := mime.ParseMediaType(own[0])
	charset, coded := params["charset"]
	honest := isStream(own[0]) == (framing == frame.Events) && (framing == frame.Rows || !isRows(own[0])) &&
		strings.EqualFold(mediaType(own[0]), frame.Binary.ContentType()) == (framing == frame.Binary || framing == frame.Chunks)
	if len(own) == 1 && err == nil && honest && (!coded || strings.EqualFold(charset, "utf-8")) {
		return
	}
	h.Set("Content-Type", framing.ContentType())
}

// asASCII are the prefixes of the names of character sets in which the bytes of ASCII mean the same as in ASCII.
var asASCII = []string{"utf-8", "utf8", "us-ascii", "ascii", "iso-8859-", "iso8859-", "latin1", "windows-125"}

// correctCharset removes the character set from the content type of a file if a client would read other text in it than weir did.
func correctCharset(h http.Header) {
	own := h["Content-Type"]
	if len(own) == 0 {
		return
	}
	_, params, err := mime.ParseMediaType(own[0])
	charset, coded := params["charset"]
	known := slices.ContainsFunc(asASCII, func(begin string) bool { return strings.HasPrefix(strings.ToLower(charset), begin) })
	if len(own) > 1 || err != nil || coded && !known {
		h.Set("Content-Type", mediaType(own[0]))
	}
}
