package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/weirtest/program"
)

// startWeir starts the real program under the policy of the matrix, in a folder. All upstreams that are built in lead to the one of
// the matrix.
func startWeir(dir, binary, upstream string) (*program.Process, error) {
	if err := os.WriteFile(filepath.Join(dir, "policy.yaml"), []byte(policy), 0o600); err != nil {
		return nil, fmt.Errorf("write policy: %w", err)
	}
	return program.In(dir, binary).Start(settings(upstream))
}

// settings are the configuration, with every upstream at its own path below one address.
func settings(upstream string) string {
	var b strings.Builder
	b.WriteString("policy: policy.yaml\nupstreams:\n")
	paths := basePaths()
	for _, name := range slices.Sorted(maps.Keys(paths)) {
		fmt.Fprintf(&b, "  %s: {url: %q}\n", name, upstream+paths[name])
	}
	return b.String()
}

// basePaths are the paths of the addresses of all upstreams.
func basePaths() map[string]string {
	paths := map[string]string{declared: ""}
	for name, u := range config.Default("").Upstreams {
		paths[name] = u.URL.Path
	}
	return paths
}
