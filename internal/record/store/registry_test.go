package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/mcp/registry/registrytest"
	"github.com/weir-gate/weir/internal/record/store/storetest"
)

func TestRegistryContract(t *testing.T) {
	for name := range storetest.Databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			registrytest.Run(t, func(t *testing.T) registrytest.Backend {
				url := upgraded(t, name)
				return registrytest.Backend{
					Store: openURL(t, url),
					Again: func(t *testing.T) registry.Store { return openURL(t, url) },
				}
			})
		})
	}
}

// TestRegistryReadOnly reads what another process wrote, without leave to write.
func TestRegistryReadOnly(t *testing.T) {
	onBackends(t, func(t *testing.T, url string) {
		s := openURL(t, url)
		want := registry.Stored{Servers: []registry.Server{{ID: "fs", First: at, Last: at}}, Revision: 1}
		if _, err := s.UpdateRegistry(t.Context(), registry.Update{Servers: want.Servers}); err != nil {
			t.Fatal(err)
		}
		r := readURL(t, url)
		got, err := r.Registry(t.Context())
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("read %v (-want +got):\n%s", err, diff)
		}
		if n, err := r.RegistryRevision(t.Context()); n != 1 || err != nil {
			t.Errorf("revision %d, %v", n, err)
		}
	})
}

// TestRegistryChanged reads tables that something else has changed: it says so, and takes nothing for what it is not.
func TestRegistryChanged(t *testing.T) {
	tool := registry.Tool{Definition: registry.Definition{Server: "fs", Name: "read"}, First: at, Since: at}
	tool.Hash = tool.Definition.Hash()
	for query, want := range map[string]string{
		"UPDATE mcp_tools SET description = x'00'": "the column description of the registry holds a value of another kind",
		"UPDATE mcp_tools SET gone = 'never'":      "the column gone of the registry holds a value of another kind",
		`UPDATE mcp_pins SET title = '"'`:          "a text is not as it was written",
		"UPDATE mcp_pins SET tool = 'write'":       "a row of the registry is under another key than its own",
		"DELETE FROM mcp_revision":                 "the table mcp_revision has no row",
	} {
		s := openURL(t, upgraded(t, "sqlite"))
		u := registry.Update{Tools: []registry.Tool{tool}, Pins: []registry.Pin{{Definition: tool.Definition, Hash: tool.Hash, Time: at}}}
		if _, err := s.UpdateRegistry(t.Context(), u); err != nil {
			t.Fatal(err)
		}
		if _, err := s.write.Exec(query); err != nil {
			t.Fatal(err)
		}
		_, err := s.Registry(t.Context())
		wantError(t, query, err, want)
	}
	s := openURL(t, upgraded(t, "sqlite"))
	if _, err := s.write.Exec("DELETE FROM mcp_revision"); err != nil {
		t.Fatal(err)
	}
	_, err := s.RegistryRevision(t.Context())
	wantError(t, "the revision", err, "the table mcp_revision has no row")
	_, err = s.UpdateRegistry(t.Context(), registry.Update{Tools: []registry.Tool{tool}})
	wantError(t, "an update", err, "the table mcp_revision has no row")
}

// TestRegistryMoved asks a file that is not where it was any more.
func TestRegistryMoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "weir.db")
	s := openStore(t, path)
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	_, err := s.RegistryRevision(t.Context())
	if err == nil {
		t.Error("the revision was read")
	}
	if _, err := s.Registry(t.Context()); err == nil {
		t.Error("the registry was read")
	}
}

// FuzzRegistry keeps tools of any texts, byte for byte.
func FuzzRegistry(f *testing.F) {
	for _, text := range []string{"", "read", "\x00", "\xff", `"`, `"\x41"`, `\`, "'; --", "é😀\u202e", "a\x00b\"c"} {
		f.Add(text, text+"x", text, `{"a":1}`)
	}
	s := openURL(f, "sqlite://"+filepath.Join(f.TempDir(), "weir.db"))
	f.Fuzz(func(t *testing.T, server, name, text, schema string) {
		d := registry.Definition{Server: server, Name: name, Title: text, Description: text + server, InputSchema: jsonOrNil(schema), Other: jsonOrNil(text)}
		tool := registry.Tool{Definition: d, Hash: d.Hash(), First: at, Since: at}
		want := registry.Stored{
			Servers: []registry.Server{{ID: server, Type: text, Addr: name, Name: text, Version: schema, First: at, Last: at}},
			Tools:   []registry.Tool{tool}, Pins: []registry.Pin{{Definition: d, Hash: tool.Hash, By: text, Time: at}},
		}
		written, err := s.UpdateRegistry(t.Context(), registry.Update{Servers: want.Servers, Tools: want.Tools, Pins: want.Pins})
		if err != nil {
			t.Fatal(err)
		}
		want.Revision = written.Revision
		got, err := s.Registry(t.Context())
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		if names, err := registry.Reset(t.Context(), s, registry.Identity{Server: server}); len(names) != 1 || err != nil {
			t.Errorf("forgot %q, %v", names, err)
		}
	})
}
