package warn

import (
	"testing"

	"github.com/weir-gate/weir/internal/policy"
)

// What one place contains of another one, the engine finds in it: what is surely in the narrow place may be in the wide one.
func TestContainedPlacesHaveNoOtherFile(t *testing.T) {
	places := []string{
		"/**", "/tmp/**", "/tmp/*", "/tmp/a", "/tmp/**/a", "/tmp/**/b/*", "/private/**", "/private/tmp/**", "/home/**", "/home/ann/**",
		"/home/*/.ssh/**", "~/**", "~/.ssh/**", "~/.ssh/id_*", "./**", "./a/**", "./a/b", ".env", "*.pem", "id_*", "a/**", "a/*", "tmp/**",
		".ssh/*", "/var/**", "/var/run/**", "/run/**", "/root", "/Users/**", "/proc/**", "/proc/self/root/**", "/etc/*.pem", "/*/a",
		"/mnt/c/**", "/mnt/**", "/usr/bin/**", "/bin/**", "/usr/**",
		"/usr/home/ann/**", "/usr/*/x", "/var/root/**", "/var/*", "/export/**", "/export/home/**", "/**/ann/x", "ann/x", "/home/ann/x", "/r*", "/*/*",
		"/proc/*/cwd/**", "/c/**", "/private/*/a", "/h*/**", "/home/*/x",
	}
	files := []string{
		"/", "/a", "/tmp", "/tmp/a", "/tmp/x/a", "/tmp/x/b/c", "/tmp/*", "/private/tmp/a", "/private/var/a", "/home/ann", "/home/ann/.ssh/id_rsa",
		"~/.ssh/id_rsa", "~ann/.ssh/id_rsa", "~", "/Users/ann/.ssh/a", "a", "a/b", "a/b/c", "./a/b", "../a", ".env", "x/.env", "a.pem", "/etc/a.pem",
		"/var/run/a", "/run/a", "/root", "/proc/self/root/tmp/a", "/tmp/../etc/a.pem", "$HOME/.ssh/id_x", "/mnt/c/Users/ann/.ssh/id_a",
		"C:/Users/ann/.ssh/id_a", "/TMP/a", "/bin/a", "/usr/bin/a", "/tmp/a.pem",
		"~ann/x", "~x/y", "~root/a", "~root", "/usr/home/ann/x", "/home/ann/x", "/var/root/a", "/proc/1/root/tmp/a", "/proc/1/cwd/a", "c:/a",
		"/export/home/ann/x", "/usr/home/x",
	}
	pairs := 0
	for _, deed := range []string{"reads", "writes", "removes"} {
		for _, wide := range places {
			refuses := probeOf([]byte(`{"operator":"`+deed+`","value":[`+quoted(wide)+`]}`), policy.Deny)
			for _, narrow := range places {
				if wide == narrow || !containsPlace(wide, narrow) {
					continue
				}
				pairs++
				allows := probeOf([]byte(`{"operator":"`+deed+`","value":[`+quoted(narrow)+`]}`), policy.Allow)
				for _, file := range files {
					for _, w := range waysTo(deed, file) {
						if allows.holds(w.tool, w.args) && !refuses.holds(w.tool, w.args) {
							t.Errorf("%s: %s contains %s, but not %s %s", deed, wide, narrow, w.tool, w.args)
						}
					}
				}
			}
		}
	}
	if pairs < 100 {
		t.Errorf("only %d pairs", pairs)
	}
}

func TestContainments(t *testing.T) {
	for _, tt := range []struct {
		of           containment
		wide, narrow string
		want         bool
	}{
		{containsPlace, "/**", "/tmp/**", true},
		{containsPlace, "/tmp/**/a", "/tmp/a", true},
		{containsPlace, "/tmp/**/a", "/tmp/**/b/a", true},
		{containsPlace, "$project/**", "$project/src/*.go", true},
		{containsPlace, "*.pem", "~/keys/server.pem", true},
		{containsPlace, "/tmp/**", "/tmp", false},
		{containsPlace, "/tmp/*", "/tmp/**", false},
		{containsPlace, "/tmp/*", "/tmp/a/b", false},
		{containsPlace, "/a*b", "/a*", false},
		{containsPlace, "/**", "~/**", false},
		{containsPlace, "/**", ".env", false},
		{containsPlace, "/tmp/[ab]", "/tmp/a", false}, // sets are not compared
		{containsHost, "*.example", "*.a.example", true},
		{containsHost, "*.example", "a.example:443", true},
		{containsHost, "*.a.example", "*.example", false},
		{containsHost, "*.example:22", "a.example", false},
		{containsHost, "*", "a.example", false}, // a name in a text is a host only if a pattern says more
		{containsHost, "127.*.1", "127.0.0.1", false},
	} {
		if got := tt.of(tt.wide, tt.narrow); got != tt.want {
			t.Errorf("%s contains %s: %v", tt.wide, tt.narrow, got)
		}
	}
}
