// Package messages has clients of the Anthropic Messages API talk through the real weir.
package messages
