// Package setup changes settings in the configuration files of other programs, key by key, and can undo the changes.
package setup

// A Format is the format of a configuration file: one of the constants.
type Format string

// The formats.
const (
	JSON Format = "json" // comments and trailing commas are allowed and preserved
	TOML Format = "toml"
)

// A Change is one setting of a file.
type Change struct {
	File   string
	Format Format
	Path   []string // the keys of the setting
	// Value is the new value: a string, a bool, a number, a list or a map of those. nil: the setting is removed.
	Value any
}
