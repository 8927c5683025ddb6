// Package ollama has clients of Ollama's own API talk through the real weir.
package ollama
