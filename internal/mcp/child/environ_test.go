package child

import (
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func TestEnviron(t *testing.T) {
	all := []string{"PATH=/bin", "HOME=/h", "LC_ALL=C", "WEIR_KEY=k", "AWS_SECRET=s", "AWS_REGION=r", "path=p", "SYSTEMROOT=w", "EMPTY=", "=C:=x", "bad", "", "=", "==v"}
	tests := map[string]struct {
		lists   Lists
		windows bool
		want    []string
	}{
		"no lists": {want: []string{"PATH=/bin", "HOME=/h", "LC_ALL=C", "AWS_SECRET=s", "AWS_REGION=r", "path=p", "SYSTEMROOT=w", "EMPTY=", "=C:=x"}},
		"allow":    {Lists{Allow: []string{"AWS_REG*"}}, false, []string{"PATH=/bin", "HOME=/h", "LC_ALL=C", "AWS_REGION=r"}},
		"allow nothing": {
			Lists{Allow: []string{}}, false, []string{"PATH=/bin", "HOME=/h", "LC_ALL=C"},
		},
		"allow on windows": {
			Lists{Allow: []string{"aws_secre?"}}, true, []string{"PATH=/bin", "HOME=/h", "LC_ALL=C", "AWS_SECRET=s", "path=p", "SYSTEMROOT=w"},
		},
		"allow all": {
			Lists{Allow: []string{"*"}}, false, []string{"PATH=/bin", "HOME=/h", "LC_ALL=C", "AWS_SECRET=s", "AWS_REGION=r", "path=p", "SYSTEMROOT=w", "EMPTY=", "=C:=x"},
		},
		"own by name": {Lists{Allow: []string{"WEIR_KEY"}, Deny: []string{"HOME", "LC_*"}}, false, []string{"PATH=/bin"}},
		"deny wins":   {Lists{Allow: []string{"AWS_*"}, Deny: []string{"*SECRET*", "PATH"}}, false, []string{"HOME=/h", "LC_ALL=C", "AWS_REGION=r"}},
		"deny all":    {Lists{Deny: []string{"*"}}, false, []string{}},
		"set": {
			Lists{Allow: []string{}, Deny: []string{"*"}, Set: map[string]string{"WEIR_KEY": "mine", "PATH": "/p", "A": "a=b"}},
			false,
			[]string{"A=a=b", "PATH=/p", "WEIR_KEY=mine"},
		},
		"set in another case on windows": {
			Lists{Allow: []string{}, Set: map[string]string{"Path": "/p"}},
			true,
			[]string{"HOME=/h", "LC_ALL=C", "SYSTEMROOT=w", "Path=/p"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			expect.Same(t, test.want, environ(all, test.lists, test.windows))
		})
	}
}

func FuzzGlob(f *testing.F) {
	for _, seed := range [][2]string{{"*", "A"}, {"A?C", "ABC"}, {"*_KEY*", "MY_KEY_2"}, {"A*B*C", "AXBXBXC"}, {"**", ""}, {"", ""}, {"?", ""}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, glob, name string) {
		if len(glob) > 12 || len(name) > 24 {
			return
		}
		if got, want := matches(glob, name), slowMatches(glob, name); got != want {
			t.Errorf("matches(%q, %q) = %t", glob, name, got)
		}
		if !matches("*"+name[:len(name)/2]+"*", name) && !strings.ContainsAny(name, "*?") {
			t.Errorf("half of %q does not match it", name)
		}
	})
}

// slowMatches says what a glob means.
func slowMatches(glob, name string) bool {
	switch {
	case glob == "":
		return name == ""
	case glob[0] == '*':
		return slowMatches(glob[1:], name) || name != "" && slowMatches(glob, name[1:])
	case name == "":
		return false
	}
	return (glob[0] == '?' || glob[0] == name[0]) && slowMatches(glob[1:], name[1:])
}
