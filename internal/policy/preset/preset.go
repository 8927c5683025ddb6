// Package preset has the texts of the policies that come with weir.
package preset

import (
	"embed"
	"fmt"
	"slices"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

//go:embed open.yaml balanced.yaml tight.yaml
var files embed.FS

// starter is the preset for the first start.
const starter = "balanced"

// Names are the policies that come with weir, the most open first.
func Names() []string { return []string{"open", starter, "tight"} }

// Text is the text of a policy that comes with weir.
func Text(name string) ([]byte, error) {
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("there is no preset %s; use %s", yamlfile.Quote(name), yamlfile.OneOf(Names()))
	}
	return files.ReadFile(name + ".yaml")
}

// Starter is the text of the policy for the first start: guard rails for coding agents that do not get in the way.
func Starter() []byte {
	source, err := Copy(starter)
	if err != nil {
		panic("the starter policy is missing: " + err.Error()) // it is part of the program, and tested
	}
	return source
}
