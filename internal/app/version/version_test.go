package version

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestRead(t *testing.T) {
	here := Info{Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	with := func(version, commit, date string, modified bool) Info {
		info := here
		info.Version, info.Commit, info.Date, info.Modified = version, commit, date, modified
		return info
	}
	stored := func(main string, settings ...string) *debug.BuildInfo {
		b := &debug.BuildInfo{Main: debug.Module{Version: main}}
		for i := 0; i < len(settings); i += 2 {
			b.Settings = append(b.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return b
	}
	tests := map[string]struct {
		given string
		build *debug.BuildInfo
		want  Info
	}{
		"nothing":               {"", nil, with("(unknown)", "", "", false)},
		"only what was given":   {"v1.2.3", nil, with("v1.2.3", "", "", false)},
		"no version":            {"", stored(""), with("(unknown)", "", "", false)},
		"installed as a module": {"", stored("v1.2.3"), with("v1.2.3", "", "", false)},
		"built from a commit": {
			"v2.0.0", stored("v1.2.3", "vcs", "git", "vcs.revision", "abc", "vcs.time", "2026-11-18T08:00:00Z", "vcs.modified", "false"),
			with("v2.0.0", "abc", "2026-11-18T08:00:00Z", false),
		},
		"built from changed files": {"", stored("v1.2.3", "vcs.revision", "abc", "vcs.modified", "true"), with("v1.2.3", "abc", "", true)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			defer func(before string) { given = before }(given)
			given = test.given
			if got := read(test.build); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}
