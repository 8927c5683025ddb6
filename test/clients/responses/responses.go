// Package responses has clients of the OpenAI Responses API talk through the real weir to a provider that keeps state.
package responses
