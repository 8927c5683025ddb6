// Package truth has the result of a question about a text that programs read in different ways.
package truth

// A Value says whether something is true for a text.
type Value uint8

// These are the values, in order. Maybe means that programs could disagree about the text, or that it does not say.
const (
	No Value = iota
	Maybe
	Yes
)
