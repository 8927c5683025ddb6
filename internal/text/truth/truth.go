// Package truth has the answer to a question about a text that programs read in different ways.
package truth

// A Value says whether something holds of a text.
type Value uint8

// The values, in order. Maybe means that programs could disagree about the text, or that it does not say.
const (
	No Value = iota
	Maybe
	Yes
)
