package reading

import (
	"strings"
	"testing"
)

// A layer runs a text.
type layer struct {
	template string
	kind     layerKind
}

// A layerKind says who reads the text of a layer.
type layerKind string

const (
	same   layerKind = "same"    // the shell that reads the layer
	inBash layerKind = "in bash" // the same, and it must be bash
	toBash layerKind = "to bash" // bash, whoever reads the layer
	toSh   layerKind = "to sh"   // sh, whoever reads the layer
)

// Shapes are what the text of a simple command can be put into.
type shapes struct {
	prefixes, suffixes []string
	layers             []layer
}

// readShapes reads testdata/layers.txt, which says what its signs mean.
func readShapes(t *testing.T) *shapes {
	t.Helper()
	s := &shapes{suffixes: []string{"", "", "", ""}}
	section := ""
	for _, line := range lines(t, "testdata/layers.txt") {
		switch {
		case strings.HasPrefix(line, "[") && line[1] != '[':
			section, _, _ = strings.Cut(line[1:], "]")
		case section == "prefix":
			s.prefixes = append(s.prefixes, line)
		case section == "suffix":
			s.suffixes = append(s.suffixes, line)
		default:
			s.layers = append(s.layers, layer{line, layerKind(section)})
		}
	}
	return s
}

// around puts a layer around a text.
func (g *generator) around(l layer, text string) string {
	switch l.kind {
	case inBash:
		g.bash = true
	case toBash:
		g.bash = false
	case toSh:
		if g.bash {
			text = "bash -c " + quote(text)
		}
		g.bash = false
	case same:
	default:
		panic("layers.txt has no kind " + l.kind)
	}
	return strings.NewReplacer("%%", "%", "%s", text, "%q", quote(text), "%Q", quote(quote(text)), "%n", g.name(),
		"%C", literal(text), "%c", inWord(literal(text)), "%P", plainLiteral(text), "%p", inWord(plainLiteral(text)),
		"%b", strings.NewReplacer(`\`, `\\`, "`", "\\`", "$", `\$`).Replace(text)).Replace(l.template)
}

// inWord writes a text within single quotes.
func inWord(text string) string { return strings.ReplaceAll(text, "'", `'\''`) }
