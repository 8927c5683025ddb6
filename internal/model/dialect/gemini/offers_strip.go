package gemini

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// orphansOf returns the parts of a request that make no sense without the tools that are gone.
func orphansOf(l *dialect.Lookup, unit strictjson.Value, gone dialect.Gone) (cuts []dialect.Cut) {
	all := readOffers(l, unit)
	if !slices.ContainsFunc(all, func(o offered) bool { return gone.Has(o.Offer) }) {
		return nil
	}
	tools, functions := false, map[string]bool{} // whether tools are left, and for each function whether it is
	for _, o := range all {
		tools = tools || !o.Fixed && !gone.Has(o.Offer)
		for _, name := range o.Names {
			if o.function {
				functions[name] = functions[name] || !gone.Has(o.Offer)
			}
		}
	}
	for config := range membersLike(unit, "toolConfig") {
		if !tools {
			cuts = append(cuts, dialect.CutOf(config))
			continue
		}
		for choice := range membersLike(config, "functionCallingConfig") {
			cuts = append(cuts, orphansOfChoice(choice, functions)...)
		}
	}
	return cuts
}

// orphansOfChoice returns the parts of a choice of functions that make no sense without those that are gone. The whole choice is
// removed if it would otherwise allow no function, or any function.
func orphansOfChoice(choice strictjson.Value, functions map[string]bool) (cuts []dialect.Cut) {
	left := false
	for _, isLeft := range functions {
		left = left || isLeft
	}
	if !left {
		return []dialect.Cut{dialect.CutOf(choice)}
	}
	for allowed := range membersLike(choice, "allowedFunctionNames") {
		count, gone := 0, []dialect.Cut(nil)
		for v := range elems(allowed) {
			count++
			name, _ := v.Text()
			if isLeft, known := functions[name]; known && !isLeft {
				gone = append(gone, dialect.CutOf(v))
			}
		}
		if count > 0 && len(gone) == count {
			return []dialect.Cut{dialect.CutOf(choice)}
		}
		cuts = append(cuts, gone...)
	}
	return cuts
}
