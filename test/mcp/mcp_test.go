package mcp

import "testing"

func TestMCP(t *testing.T) {
	k := prepare(t)
	for name, test := range map[string]func(*testing.T, kit){
		"scenes":            testScenes,
		"refused":           testRefused,
		"conformance":       testConformance,
		"inspector":         testInspector,
		"credentials":       testCredentials,
		"wrong credentials": testWrongCredentials,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, k)
		})
	}
}
