// Package gemini has the Gemini CLI act for a scripted model through the real weir.
package gemini
