// Package version says which weir this is.
package version

import "runtime/debug"

// given is set by the build.
var given = ""

// Build is the version that the build was given, else what Go knows of it.
func Build() string {
	if given != "" {
		return given
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(unknown)"
}
