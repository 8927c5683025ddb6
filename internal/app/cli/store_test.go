package cli

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/record/store/postgrestest"
)

// TestStoreMigratePostgres checks, migrates and checks again.
func TestStoreMigratePostgres(t *testing.T) {
	address := postgrestest.Database(t)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	password, _ := u.User.Password()
	for _, step := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--check"}, 1, ": version 0, to be migrated to version "},
		{[]string{"--check"}, 1, ": version 0, to be migrated to version "},
		{nil, 0, ": migrated from version 0 to version "},
		{nil, 0, ": up to date, version "},
		{[]string{"--check"}, 0, ": up to date, version "},
	} {
		var out, errOut bytes.Buffer
		code := Main(append([]string{"store", "migrate", "--store", address}, step.args...), nil, &out, &errOut)
		if code != step.code || !strings.HasPrefix(out.String(), store.URL(address).String()+step.says) || errOut.Len() > 0 {
			t.Errorf("migrate %v: code %d, %s%s; want %d and %q", step.args, code, &out, &errOut, step.code, step.says)
		}
		if strings.Contains(out.String(), password) {
			t.Errorf("the password is shown: %s", &out)
		}
	}
}
