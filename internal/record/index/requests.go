package index

import "slices"

// maxOpen is how many requests are remembered whose responses have not ended. Some never end.
const maxOpen = 100_000

// openRequests has the calls of requests whose responses have not ended, by the hashes of the requests' ids.
type openRequests struct {
	calls map[uint64][]share
	order []uint64 // the requests as they came; some have ended
}

// add adds a call.
func (o *openRequests) add(request uint64, call share) {
	if o.calls == nil {
		o.calls = map[uint64][]share{}
	}
	calls, known := o.calls[request]
	o.calls[request] = append(calls, call)
	if known {
		return
	}
	if o.order = append(o.order, request); len(o.order) < 2*maxOpen {
		return
	}
	o.order = slices.DeleteFunc(o.order, func(r uint64) bool { return o.calls[r] == nil })
	for len(o.order) > maxOpen {
		delete(o.calls, o.order[0])
		o.order = o.order[1:]
	}
}

// end returns the calls of a request whose response ended.
func (o *openRequests) end(request uint64) []share {
	calls := o.calls[request]
	delete(o.calls, request)
	return calls
}

// moved are the same requests with the numbers of another dictionary.
func (o *openRequests) moved(from, to *dictionary) openRequests {
	var all openRequests
	for _, request := range o.order {
		for _, call := range o.end(request) {
			all.add(request, call.moved(from, to))
		}
	}
	return all
}

// moved is a call with the numbers of another dictionary.
func (s share) moved(from, to *dictionary) share {
	c := from.columns(s.facet)
	s.facet, s.session, s.log = to.facet(&c), to.name(from.names[s.session]), to.name(from.names[s.log])
	return s
}
