// Package codex has the Codex CLI act for a scripted model through the real weir.
package codex
