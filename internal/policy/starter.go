package policy

import (
	"bytes"
	_ "embed"
)

//go:embed starter.yaml
var starter []byte

// StarterSource is the text of the starter policy: guard rails for coding agents that do not get in the way.
func StarterSource() []byte { return bytes.Clone(starter) }

// Starter is the starter policy, compiled.
func Starter() *Policy {
	p, err := Parse("starter.yaml", starter)
	if err != nil {
		panic("the starter policy does not compile: " + err.Error()) // it is part of the program, and tested
	}
	return p
}
