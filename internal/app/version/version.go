// Package version has the version of this weir, and what it was built from.
package version

import (
	"cmp"
	"runtime"
	"runtime/debug"
)

// given is set by the build.
var given = ""

const unknown = "(unknown)"

// An Info says what a weir was built from. What the build did not store is empty.
type Info struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Date     string `json:"date"`     // of the commit
	Modified bool   `json:"modified"` // the sources were not those of the commit
	Go       string `json:"go"`
	Platform string `json:"platform"` // linux/amd64
}

// Build returns the version that was given to the build, else the version that Go knows.
func Build() string { return Read().Version }

// Read returns what the build stored in this program.
func Read() Info {
	build, _ := debug.ReadBuildInfo()
	return read(build)
}

// read takes what Go stored. build may be nil.
func read(build *debug.BuildInfo) Info {
	info := Info{Version: cmp.Or(given, unknown), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if build == nil {
		return info
	}
	info.Version = cmp.Or(given, build.Main.Version, unknown)
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			info.Commit = s.Value
		case "vcs.time":
			info.Date = s.Value
		case "vcs.modified":
			info.Modified = s.Value == "true"
		}
	}
	return info
}
