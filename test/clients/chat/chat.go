// Package chat has clients of the OpenAI Chat Completions API talk through the real weir.
package chat
