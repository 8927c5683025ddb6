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
