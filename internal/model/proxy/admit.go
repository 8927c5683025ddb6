package proxy

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/endpoint"
)

// admit decides whether the request may go on, and where to. It reads no body.
func (q *asking) admit() *failure {
	path, err := cleanPath(q.R.URL.EscapedPath())
	if err != nil || !plainQuery(q.R.URL.RawQuery) {
		return cmp.Or(q.door.guard(q.R), refusal(http.StatusBadRequest, "the address can be read in more than one way"))
	}
	key := q.aim(path) // first, so that refusals, too, are in the client's format
	q.hidden = q.misplacedKey(path)
	if f := q.door.guard(q.R); f != nil {
		return f
	}
	if q.own != nil {
		return q.visit()
	}
	if refused := q.Identify(key); refused != nil {
		return &failure{status: refused.Status, message: refused.Message}
	}
	if q.hidden {
		return refusal(http.StatusBadRequest, keyMisplaced)
	}
	if q.door.cfg.Off {
		return &failure{status: http.StatusNotFound, message: switchedOff}
	}
	if q.upstream == nil {
		return &failure{status: http.StatusNotFound, message: q.door.routes()}
	}
	if f := q.noRoom(q.OpenAccount()); f != nil {
		return f
	}
	return q.admitEndpoint()
}

// keyMisplaced is the refusal of a request that would send one of weir's keys to the upstream.
const keyMisplaced = "a key of weir's stands where it would be sent to the upstream; " +
	"give it in the header x-weir-key, or as /k/<key>/ ahead of the upstream's name"

// misplacedKey says whether the address has one of weir's keys anywhere but at the beginning of the path. The segment after a key
// segment counts as a key, valid or not.
func (q *asking) misplacedKey(path string) bool {
	first, rest := cutSegment(path)
	if first == admission.KeySegment {
		_, rest = cutSegment(rest)
	}
	for plain := ""; rest != "/"; {
		var segment string
		segment, rest = cutSegment(rest)
		if plain == admission.KeySegment && q.door.admission.HasClients() {
			return true
		}
		plain, _ = url.PathUnescape(segment) // a clean path always unescapes
		if q.door.admission.Shows(plain) {
			return true
		}
	}
	sent := q.R.URL.RawQuery
	if q.upstream != nil && q.upstream.key != "" {
		sent = withoutKeys(sent)
	}
	query, err := url.QueryUnescape(sent)
	return q.door.admission.Shows(sent) || err == nil && q.door.admission.Shows(query)
}

// switchedOff says why weir forwards nothing.
const switchedOff = "weir's proxy for models is switched off (proxy.mode is disabled in weir.yaml); set proxy.mode to embedded to use it"

// admitEndpoint refuses requests that weir does not forward. If weir only observes, it refuses none.
func (q *asking) admitEndpoint() *failure {
	switch {
	case q.door.cfg.Observe:
		return nil
	case q.changesModels() && !q.upstream.changes:
		return refusal(http.StatusBadRequest, "changing the models of "+q.upstream.name+
			" is not allowed here; set changes: true for this upstream to allow it")
	case q.upstream.key == "" && signedForAnother(q.R, q.upstream.url.Hostname()):
		return refusal(http.StatusBadRequest, "the request is signed for weir's address, so the upstream would not take it; "+
			"let the client use a Bedrock API key (AWS_BEARER_TOKEN_BEDROCK) or not sign, or give the upstream a key")
	case q.known && q.endpoint.Treatment == endpoint.Refused:
		return q.refuseExchange(dialect.Refused{Code: call.CodeUnrecognised, Reason: "weir does not send this request on: " + q.endpoint.Note})
	}
	return nil
}

// aim finds the page, the upstream and the endpoint of a clean path, and returns the client's key.
func (q *asking) aim(path string) (key string) {
	key = admission.HeaderKey(q.R.Header)
	first, rest := cutSegment(path)
	q.own = q.door.ownPage(first, rest)
	if first == admission.KeySegment {
		escaped, below := cutSegment(rest)
		key, _ = url.PathUnescape(escaped) // a clean path always unescapes
		first, rest = cutSegment(below)
	}
	if q.upstream = q.door.served.Load().byName[first]; q.upstream != nil {
		q.path = q.upstream.versionedPath(rest)
		path = q.path
		q.endpoint, q.known = q.upstream.findEndpoint(q.R.Method, q.path)
	}
	if q.asked, q.ask = q.door.askedFormat(q.R, path); q.asked != nil {
		q.wants, _ = q.asked.Wants(q.R, nil) // as far as that is known without the body
	}
	return key
}

// signedForAnother says whether a request to an Amazon service carries a signature. The signature covers the host name, which
// changes when weir forwards the request.
func signedForAnother(r *http.Request, host string) bool {
	if !strings.HasSuffix(host, ".amazonaws.com") && !strings.HasSuffix(host, ".amazonaws.com.cn") {
		return false
	}
	return strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-") || r.URL.Query().Has("X-Amz-Signature")
}

// guard refuses requests that no API client sends.
func (d *Door) guard(r *http.Request) *failure {
	refused := d.admission.Check(r)
	switch {
	case refused == nil:
		return nil
	case refused.Status == http.StatusUpgradeRequired:
		return &failure{status: refused.Status, message: refused.Message} // the client falls back to plain HTTP without help
	}
	return refusal(refused.Status, refused.Message)
}
