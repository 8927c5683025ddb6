// Package reading compares what weir reads in commands with what they do: generated commands run in a sandbox, with real shells and
// real programs, and everything that happened there must have been read.
package reading
