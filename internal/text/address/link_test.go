package address

import (
	"strings"
	"testing"
)

func TestLinks(t *testing.T) {
	for text, want := range map[string]string{
		"see https://a.example/x and http://b.example:80": "a.example b.example",
		"git@git.example:team/repo.git":                   "git.example",
		"FROM registry.example/node:20":                   "registry.example",
		"replace x => git.example/x v1.0.0":               "git.example",
		"version = 1.43":                                  "",
		"edit setup.py, tool.ruff and src/a.go":           "",
		"AGENTS.md/docs":                                  "",
		"ann@example.com wrote":                           "",
	} {
		var got []string
		for _, h := range Links(text) {
			got = append(got, h.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %q", text, got, want)
		}
	}
}
