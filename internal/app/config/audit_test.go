package config

import (
	"strings"
	"testing"
)

// TestWhereTheKeyLies without a word on it.
func TestWhereTheKeyLies(t *testing.T) {
	for _, test := range []struct{ name, text, home, want string }{
		{"a state folder", "", "/home/ann", "/home/ann/.local/state/weir/audit.key"},
		{"a state folder, and another store", "store: {url: 'postgres://db/weir'}\n", "/home/ann", "/home/ann/.local/state/weir/audit.key"},
		{"no state folder", "policy: p\nstore: {url: 'sqlite:///var/lib/weir/weir.db'}\n", "", "/var/lib/weir/audit.key"},
		{"no state folder, and named", "policy: p\nstore: {url: 'postgres://db/weir'}\naudit: {key: /k}\n", "", "/k"},
		{"no state folder, and no file", "policy: p\nstore: {url: 'postgres://db/weir'}\n", "", "no state folder for the key"},
	} {
		cfg, err := Parse("weir.yaml", []byte(test.text+"on_deny: drop\n"), environment("HOME", test.home))
		if err != nil {
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		if cfg.Audit.Key != test.want {
			t.Errorf("%s: %s, want %s", test.name, cfg.Audit.Key, test.want)
		}
	}
}
