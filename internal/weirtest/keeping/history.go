package keeping

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// A history is what the model is to go on from, while it is checked.
type history struct {
	provider *Provider
	there    map[string]bool  // ids of items
	open     map[string]*item // calls without output
	order    []string         // the ids of open calls, as they came
	answered map[string]bool
}

// check says what the API objects to in a request's input, which follows what is kept before it. It returns the items,
// references resolved.
func (p *Provider) check(before []*item, input []jsontext.Value) ([]*item, *Fault) {
	h := history{provider: p, there: map[string]bool{}, open: map[string]*item{}, answered: map[string]bool{}}
	for _, it := range before {
		h.there[it.ID] = true
		h.follow(it)
	}
	list := make([]*item, 0, len(input))
	byID := make([]bool, 0, len(input))
	for i, raw := range input {
		it, fault := h.next(raw)
		if fault != nil {
			return nil, &Fault{Status: fault.Status, Message: fmt.Sprintf("input[%d]: %s", i, fault.Message), Param: "input", Code: fault.Code}
		}
		sent := mustRead(raw)
		list, byID = append(list, it), append(byID, sent.ID != "")
	}
	for _, id := range h.order {
		if call := h.open[id]; call != nil && call.Status != "incomplete" && call.Type != "mcp_approval_request" {
			return nil, badRequest("input", "No tool output found for "+words(call.Type)+" "+id+".")
		}
	}
	return list, checkReasoning(before, list, byID)
}

// follow takes notice of an item.
func (h *history) follow(it *item) {
	if id := it.call(); id != "" {
		h.open[id] = it
		h.order = append(h.order, id)
	}
	if id := it.answers(); id != "" {
		delete(h.open, id)
		h.answered[id] = true
	}
}

// next reads an item of the input.
func (h *history) next(raw jsontext.Value) (*item, *Fault) {
	it, err := readItem(raw)
	if err != nil || it.Type == "" {
		return nil, badRequest("input", "Invalid item.")
	}
	answers := it.answers()
	if answers != "" {
		if fault := h.output(it, answers); fault != nil {
			return nil, fault
		}
	} else if it.ID != "" {
		if h.there[it.ID] {
			return nil, badRequest("input", "Duplicate item found with id "+it.ID+". Remove duplicate items from your input and try again.")
		}
		h.there[it.ID] = true
		var fault *Fault
		if it, fault = h.known(it); fault != nil {
			return nil, fault
		}
	}
	if id := it.call(); id != "" {
		if h.open[id] != nil || h.answered[id] {
			return nil, badRequest("input", "The "+words(it.Type)+" "+id+" is there twice.")
		}
		// Clients may tell of calls that nobody made, but not others than were made.
		if orig := h.provider.calls[id]; orig != nil {
			if !it.repeats(orig) {
				return nil, badRequest("input", "The "+words(it.Type)+" "+id+" is not what the model said.")
			}
			it = orig
		}
	}
	h.follow(it)
	return it, nil
}

// known finds the item that a client sends back, or refers to, by its id.
func (h *history) known(it *item) (*item, *Fault) {
	orig := h.provider.items[it.ID]
	switch {
	case orig == nil, it.Type == "item_reference" && !orig.kept:
		return nil, notFound("Item with id '" + it.ID + "' not found. Items are not persisted when `store` is set to false. " +
			"Try again with `store` set to true, or remove this item from your input.")
	case it.Type != "item_reference" && !it.repeats(orig):
		return nil, badRequest("input", "The item '"+it.ID+"' is not what the model said.")
	}
	return orig, nil
}

// output checks an item that is the output of a call.
func (h *history) output(it *item, id string) *Fault {
	call := h.open[id]
	switch {
	case h.answered[id]:
		return badRequest("input", "Duplicate tool output found for call_id "+id+".")
	case call == nil || outputOf(call.Type) != it.Type:
		return badRequest("input", "No tool call found for "+words(it.Type)+" with call_id "+id+".")
	}
	return checkOutput(it)
}

// checkReasoning wants reasoning together with the item that the model thought it for. byID says which items were named by
// their id: of others the API does not know what they need.
func checkReasoning(before, list []*item, byID []bool) *Fault {
	for i, it := range list {
		if it.said && it.Type == "reasoning" && it.next != nil && (i+1 == len(list) || !sameItem(list[i+1], it.next)) {
			return badRequest("input", "Item '"+it.ID+"' of type 'reasoning' was provided without its required following item.")
		}
		thought := it.prior
		if it.said && byID[i] && thought != nil && thought.Type == "reasoning" &&
			!slices.Contains(before, thought) && !slices.Contains(list, thought) {
			return badRequest("input", fmt.Sprintf("Item '%s' of type '%s' was provided without its required 'reasoning' item: '%s'.",
				it.ID, it.Type, thought.ID))
		}
	}
	return nil
}

// sameItem says whether a client sent back an item of the model's, by its id or as a text.
func sameItem(got, want *item) bool {
	return got == want || got.Type == "message" && want.Type == "message" && got.Role == "assistant" && got.text() == want.text()
}
