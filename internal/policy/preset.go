package policy

import (
	"embed"
	"fmt"
	"slices"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

//go:embed presets/open.yaml presets/balanced.yaml presets/tight.yaml
var presetFiles embed.FS

// starterPreset is the preset that weir begins with.
const starterPreset = "balanced"

// PresetNames are the policies that come with weir, the most open first.
func PresetNames() []string { return []string{"open", starterPreset, "tight"} }

// Preset is the text of a policy that comes with weir.
func Preset(name string) ([]byte, error) {
	if !slices.Contains(PresetNames(), name) {
		return nil, fmt.Errorf("there is no preset %s; use %s", yamlfile.Quote(name), yamlfile.OneOf(PresetNames()))
	}
	return presetFiles.ReadFile("presets/" + name + ".yaml")
}

// StarterSource is the text of the policy that weir begins with: guard rails for coding agents that do not get in the way.
func StarterSource() []byte {
	source, err := Preset(starterPreset)
	if err != nil {
		panic("the starter policy is missing: " + err.Error()) // it is part of the program, and tested
	}
	return source
}

// Starter is that policy, compiled.
func Starter() *Policy {
	p, err := Parse(starterPreset+".yaml", StarterSource())
	if err != nil {
		panic("the starter policy does not compile: " + err.Error()) // it is part of the program, and tested
	}
	return p
}
