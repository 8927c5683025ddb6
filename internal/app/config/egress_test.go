package config

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/policy"
)

func TestEgress(t *testing.T) {
	for text, want := range map[string]Egress{
		"listen: 127.0.0.1:1":                        {Default: policy.Allow, Models: policy.Audit},
		"egress: {}":                                 {Default: policy.Allow, Models: policy.Audit},
		"egress: {default: deny, models: allow}":     {Default: policy.Deny, Models: policy.Allow},
		"egress: {loopback: 5432}":                   {Default: policy.Allow, Models: policy.Audit, Loopback: []PortRange{{5432, 5432}}},
		"egress: {loopback: 3000-3010}":              {Default: policy.Allow, Models: policy.Audit, Loopback: []PortRange{{3000, 3010}}},
		"egress: {loopback: [5432, '3000-3010', 1]}": {Default: policy.Allow, Models: policy.Audit, Loopback: []PortRange{{5432, 5432}, {3000, 3010}, {1, 1}}},
		"egress: {loopback: ['${PORT}', 65535]}":     {Default: policy.Allow, Models: policy.Audit, Loopback: []PortRange{{9000, 9001}, {65535, 65535}}},
		"egress: {default: '${VERDICT}'}":            {Default: policy.Audit, Models: policy.Audit},
	} {
		cfg, err := Parse("weir.yaml", []byte(text), environment("HOME", "/home/ann", "PORT", "9000-9001", "VERDICT", "audit"))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, cfg.Egress); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestEgressSockets(t *testing.T) {
	dir := t.TempDir()
	run := filepath.Join(dir, "run")
	cfg, err := Parse(filepath.Join(dir, "weir.yaml"), []byte("egress: {sockets: ['${RUN}/docker.sock', 'agents/*.sock']}"),
		environment("HOME", "/home/ann", "RUN", run))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(run, "docker.sock"), filepath.Join(dir, "agents", "*.sock")}
	if diff := cmp.Diff(want, cfg.Egress.Sockets); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEgressProblems(t *testing.T) {
	const notPorts = "egress.loopback: this is not a port, or a range of ports; write a number from 1 to 65535, or two of them, such as 3000-3010"
	for text, want := range map[string]string{
		"egress: [allow]":                     "1:9: egress: expected a mapping, found a list",
		"egress: {defualt: deny}":             "1:10: egress.defualt: unknown key; did you mean default?",
		"egress: {default: sanitize}":         `1:19: egress.default: "sanitize" is not what becomes of connections; use allow, audit or deny`,
		"egress: {models: true}":              "1:18: egress.models: expected what becomes of connections, found true or false; use allow, audit or deny",
		"egress: {models: '${SECRET}'}":       "1:18: egress.models: the variable does not hold what becomes of connections; use allow, audit or deny",
		"egress: {loopback: 0}":               "1:20: " + notPorts,
		"egress: {loopback: 70000}":           "1:20: " + notPorts,
		"egress: {loopback: '80-'}":           "1:20: " + notPorts,
		"egress: {loopback: '+80'}":           "1:20: " + notPorts,
		"egress: {loopback: 1-2-3}":           "1:20: " + notPorts,
		"egress: {loopback: 0x50}":            "1:20: " + notPorts,
		"egress: {loopback: '${SECRET}'}":     "1:20: " + notPorts,
		"egress: {loopback: 3010-3000}":       "1:20: egress.loopback: the range ends before it begins; write the smaller port first",
		"egress: {loopback: [80, 79-81]}":     "1:25: egress.loopback[1]: some of these ports are given twice; name each port once",
		"egress: {loopback: 1-65535}":         "1:20: egress.loopback: these are 65535 ports; name those of the services that sessions need, 1024 at most",
		"egress: {loopback: []}":              "1:20: egress.loopback: the list is empty; write at least one item, or remove the key",
		"egress: {loopback: [true]}":          "1:21: egress.loopback[0]: expected a string, found true or false; put it in quotes",
		"egress: {sockets: 5}":                "1:19: egress.sockets: expected a string or a list of strings, found a number; write the path of a unix socket, or a glob",
		"egress: {sockets: ['@/tmp/.X11']}":   "1:20: egress.sockets[0]: sessions cannot reach a socket without a path; name sockets by their paths",
		"egress: {sockets: ['~/x.sock']}":     "1:20: egress.sockets[0]: ~ is not replaced by a home folder here; write ${HOME}",
		"egress: {sockets: ['/run/[x.sock']}": `1:20: egress.sockets[0]: this is not a glob; close each [ with ], or write \[ to mean it`,
	} {
		_, err := Parse("weir.yaml", []byte(text), environment("HOME", "/home/ann", "SECRET", "s3cret-value"))
		if err == nil {
			t.Errorf("%s is taken", text)
			continue
		}
		if diff := cmp.Diff("weir.yaml:"+want, err.Error()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: the error tells the variable: %v", text, err)
		}
	}
}

// What is written as a range reads as the same range.
func FuzzParsePorts(f *testing.F) {
	for _, text := range []string{"1", "65535", "3000-3010", "0", "-1", "1-", "80-79", "00080", "８０", "1-2-3", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ports, err := parsePorts(text)
		if err != nil {
			if ports != (PortRange{}) {
				t.Errorf("%q: %v with the error %v", text, ports, err)
			}
			return
		}
		again, err := parsePorts(fmt.Sprintf("%d-%d", ports.First, ports.Last))
		if err != nil || again != ports || ports.First == 0 || ports.First > ports.Last {
			t.Errorf("%q: %v, read again %v, %v", text, ports, again, err)
		}
	})
}
