// Package version has the version of this weir.
package version

import "runtime/debug"

// given is set by the build.
var given = ""

// Build returns the version that was given to the build, else the version that Go knows.
func Build() string {
	if given != "" {
		return given
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(unknown)"
}
