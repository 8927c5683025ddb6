// Package claude has Claude Code act for a scripted model through the real weir.
package claude
