// Package gemini has clients of the Gemini API talk through the real weir.
package gemini
