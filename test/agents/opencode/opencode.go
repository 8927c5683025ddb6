// Package opencode has opencode act for a scripted model through the real weir, in every format that it speaks.
package opencode
