package gemini

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// stripOffers takes tools out of a request, and what it says of them elsewhere.
func stripOffers(body []byte, stripped []dialect.Offer) []byte {
	var places []dialect.Cut
	gone := map[int]bool{}
	for _, o := range stripped {
		for _, p := range o.Cuts {
			places = append(places, p)
			gone[p.Start] = true
		}
	}
	var doc strictjson.Doc
	root, err := dialect.ParseRequest(&doc, body)
	if err != nil || len(places) == 0 {
		return body
	}
	units, err := unitsOf(root)
	if err != nil {
		return body
	}
	for _, unit := range units {
		all, err := readOffers(unit)
		if err != nil {
			return body
		}
		places = append(places, orphans(unit, all, gone)...)
	}
	return dialect.Without(body, places)
}

// orphans are the places in a request that make no sense without the tools that are gone.
func orphans(unit strictjson.Value, all []offered, gone map[int]bool) (places []dialect.Cut) {
	isGone := func(o offered) bool { return len(o.Cuts) > 0 && gone[o.Cuts[0].Start] }
	if !slices.ContainsFunc(all, isGone) {
		return nil
	}
	tools, functions := false, map[string]bool{} // those that are left, and by name whether a function is
	for _, o := range all {
		tools = tools || !o.Fixed && !isGone(o)
		for _, name := range o.Names {
			if o.function {
				functions[name] = functions[name] || !isGone(o)
			}
		}
	}
	for config := range membersLike(unit, "toolConfig") {
		if !tools {
			places = append(places, placeOf(config)...)
			continue
		}
		for choice := range membersLike(config, "functionCallingConfig") {
			places = append(places, orphansOfChoice(choice, functions)...)
		}
	}
	return places
}

// orphansOfChoice are the places in a choice of functions that make no sense without those that are gone. It goes as a whole
// where it would let the model choose none, or could choose any.
func orphansOfChoice(choice strictjson.Value, functions map[string]bool) (places []dialect.Cut) {
	left := false
	for _, isLeft := range functions {
		left = left || isLeft
	}
	if !left {
		return placeOf(choice)
	}
	for allowed := range membersLike(choice, "allowedFunctionNames") {
		count, gone := 0, []dialect.Cut(nil)
		for v := range elems(allowed) {
			count++
			name, _ := v.Text()
			if isLeft, known := functions[name]; known && !isLeft {
				gone = append(gone, placeOf(v)...)
			}
		}
		if count > 0 && len(gone) == count {
			return placeOf(choice)
		}
		places = append(places, gone...)
	}
	return places
}
