package proxy

import "github.com/weir-gate/weir/internal/model/endpoint"

// findEndpoint returns how requests for a clean path are treated. What is refused stays so where the upstream's address has
// the beginning of the path in it.
func (u *upstream) findEndpoint(method, path string) (row endpoint.Row, known bool) {
	row, known = u.endpoints.Find(method, path)
	if u.base == "/" || known && row.Treatment == endpoint.Gated {
		return row, known // the gate refuses what it cannot read
	}
	whole, found := u.endpoints.Find(method, join(u.base, path))
	if found && (whole.Treatment == endpoint.Refused || whole.Treatment == endpoint.Changes) {
		return whole, true
	}
	return row, known
}

// mayAnswerOtherwise says whether the endpoint's answers may be something else than model output.
func (x *exchange) mayAnswerOtherwise() bool {
	if !x.known {
		return false
	}
	t := x.endpoint.Treatment
	return t == endpoint.Passes || t == endpoint.Content || t == endpoint.Gated && x.endpoint.Quiet
}

// mayAnswerInLines says whether an answer of the endpoint may be a file with a JSON text in each line, whatever it is called.
func (x *exchange) mayAnswerInLines() bool {
	return x.isContent() || x.known && x.endpoint.Treatment == endpoint.Gated && x.asked == nil
}

// isContent says whether the endpoint's answers are files of any type.
func (x *exchange) isContent() bool { return x.known && x.endpoint.Treatment == endpoint.Content }

// changesModels says whether the request would change the models of a model server.
func (x *exchange) changesModels() bool { return x.known && x.endpoint.Treatment == endpoint.Changes }
