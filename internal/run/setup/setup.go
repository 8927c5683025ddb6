// Package setup changes settings in the configuration files of other programs, key by key, and takes the changes back.
package setup

// A Format is how a configuration file is written: one of the constants.
type Format string

// The formats.
const (
	JSON Format = "json" // comments and trailing commas are kept
	TOML Format = "toml"
)

// A Change is one setting of a file.
type Change struct {
	File   string
	Format Format
	Path   []string // the keys that lead to it
	// Value is what it becomes: a string, a bool, a number, a list or a map of those. nil: it is removed.
	Value any
}
