package check

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

// compose loads the Compose file as Compose does, with the variables of example.env.
func compose(t *testing.T) *types.Project {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{"../compose.yaml"}, cli.WithWorkingDirectory(".."), cli.WithEnv([]string{
		"WEIR_DB_PASSWORD=0123456789abcdef", "WEIR_METRICS_TOKEN=0123456789abcdef0", "GRAFANA_PASSWORD=0123456789abcdef1",
	}))
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return project
}

// TestCompose: the file is valid, every file that it mounts is there, and weir is shut in.
func TestCompose(t *testing.T) {
	project := compose(t)
	if names := project.ServiceNames(); !slices.Equal(names, []string{"grafana", "postgres", "prometheus", "weir"}) {
		t.Errorf("services %v", names)
	}
	for name, s := range project.Services {
		for _, v := range s.Volumes {
			if v.Type != types.VolumeTypeBind || strings.Contains(v.Source, "/tls") { // the certificate is the user's
				continue
			}
			if _, err := os.Stat(v.Source); err != nil {
				t.Errorf("%s mounts a file that is not there: %v", name, err)
			}
		}
	}
	weir := project.Services["weir"]
	if !weir.ReadOnly || !slices.Equal(weir.CapDrop, []string{"ALL"}) || weir.HealthCheck == nil || weir.User != "" {
		t.Errorf("%+v", weir)
	}
	if weir.StopGracePeriod == nil || weir.StopGracePeriod.String() != "45s" {
		t.Errorf("it is killed after %v", weir.StopGracePeriod)
	}
	if project.Services["postgres"].NetworkMode != "none" {
		t.Error("the database is on a network")
	}
	for _, name := range []string{"WEIR_DB_PASSWORD", "WEIR_METRICS_TOKEN", "GRAFANA_PASSWORD"} {
		if text, err := os.ReadFile("../compose/example.env"); err != nil || !strings.Contains(string(text), "\n"+name+"=\n") {
			t.Errorf("example.env does not name %s: %v", name, err)
		}
	}
}

// TestComposeNeedsSecrets: without its secrets nothing starts.
func TestComposeNeedsSecrets(t *testing.T) {
	options, err := cli.NewProjectOptions([]string{"../compose.yaml"}, cli.WithWorkingDirectory(".."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := options.LoadProject(t.Context()); err == nil || !strings.Contains(err.Error(), "copy compose/example.env to .env") {
		t.Errorf("got %v", err)
	}
}

// TestComposeConfiguration: weir takes the configuration that the file mounts.
func TestComposeConfiguration(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"weir.yaml", "policy.yaml"} {
		text, err := os.ReadFile(filepath.Join("../compose", name))
		if err != nil {
			t.Fatal(err)
		}
		place(t, dir, name, string(text))
	}
	checkConfig(t, dir, "WEIR_DB_PASSWORD=0123456789abcdef", "WEIR_METRICS_TOKEN=0123456789abcdef0")
}
