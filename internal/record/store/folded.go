package store

import "strings"

// like is the SQL pattern of the pieces with any run of characters between them.
func like(pieces []string) string {
	escape := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
	escaped := make([]string, len(pieces))
	for i, piece := range pieces {
		escaped[i] = escape.Replace(piece)
	}
	return strings.Join(escaped, "%")
}
