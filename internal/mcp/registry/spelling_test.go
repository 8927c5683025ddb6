package registry_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/policy/toolname"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func TestLookup(t *testing.T) {
	d := newDesk(t, registry.Bounds{})
	d.observe(listing(t, "fs", "write_file", "read.file", "_odd", "straße", "ico😀n", "\u212aeep", "读文件", "写文件"))
	d.observe(listing(t, "my.server", "run", "write_file"))
	d.observe(listing(t, "a", "b__c"))
	d.observe(listing(t, "a__b", "c"))
	fs := []string{"fs"}
	for _, tt := range []struct {
		q    registry.Question
		want string
	}{
		{registry.Question{Name: "mcp__fs__write_file"}, "fs write_file"},
		{registry.Question{Name: "mcp_fs_write_file"}, "fs write_file"},
		{registry.Question{Name: "fs_write_file"}, "fs write_file"},
		{registry.Question{Name: "fs__write_file"}, "fs write_file"},
		{registry.Question{Name: "fs.write_file"}, "fs write_file"},
		{registry.Question{Name: "fs/write_file"}, "fs write_file"},
		{registry.Question{Name: "fs:write_file"}, "fs write_file"},
		{registry.Question{Name: "MCP__FS__Write_File"}, "fs write_file"},
		{registry.Question{Name: "mcp__ｆｓ__wri\u200bte_file"}, "fs write_file"},
		{registry.Question{Name: "write_file"}, "fs write_file bare; my.server write_file bare"},
		{registry.Question{Name: "write_file", Offered: fs}, "fs write_file bare"},
		{registry.Question{Name: "write_file", Offered: []string{"no", "fs", "fs"}}, "fs write_file bare"},
		{registry.Question{Name: "write_file", Offered: []string{}}, ""},
		{registry.Question{Name: "write_file", Server: "FS"}, "fs write_file"},
		{registry.Question{Name: "write_file", Server: "my_server"}, "my.server write_file"},
		{registry.Question{Name: "mcp__fs__write_file", Server: "fs"}, "fs write_file"},
		{registry.Question{Name: "write_file", Server: "git"}, ""},
		{registry.Question{Name: "mcp__my_server__run"}, "my.server run loose"},
		{registry.Question{Name: "mcp__my.server__run"}, "my.server run"},
		{registry.Question{Name: "mcp__fs__read_file"}, "fs read.file loose"},
		{registry.Question{Name: "mcp__fs__stra_e"}, "fs straße loose"},
		{registry.Question{Name: "mcp__fs__STRASSE"}, "fs straße"},
		{registry.Question{Name: "mcp__fs__ico__n"}, "fs ico😀n loose"},
		{registry.Question{Name: "mcp__fs__读文件"}, "fs 读文件"},
		{registry.Question{Name: "mcp__fs_____"}, "fs 写文件 loose; fs 读文件 loose"},
		{registry.Question{Name: "写文件"}, "fs 写文件 bare"},
		{registry.Question{Name: "mcp__fs___eep"}, "fs \u212aeep loose"},
		{registry.Question{Name: "mcp__fs__keep"}, "fs \u212aeep"},
		{registry.Question{Name: "fs___odd"}, "fs _odd"},
		{registry.Question{Name: "fs__odd"}, "fs _odd"},
		{registry.Question{Name: "mcp__a__b__c"}, "a b__c; a__b c"},
		{registry.Question{Name: "fs-write_file"}, "fs write_file loose"},
		{registry.Question{Name: "mcp-fs-write-file"}, "fs write_file loose"},
		{registry.Question{Name: "fs___write_file"}, "fs write_file loose"},
		{registry.Question{Name: "fs|write_file"}, "fs write_file loose"},
		{registry.Question{Name: "fs — write file"}, "fs write_file loose"},
		{registry.Question{Name: "fs::Write.File"}, "fs write_file loose"},
		{registry.Question{Name: "fswrite_file"}, "fs write_file bare loose"},
		{registry.Question{Name: "functions.mcp__fs__write_file"}, "fs write_file loose"},
		{registry.Question{Name: "mcp__plugin_any-thing_fs__write_file"}, "fs write_file loose"},
		{registry.Question{Name: "plugin:any:fs:write_file"}, "fs write_file loose"},
		{registry.Question{Name: "my-server-run"}, "my.server run loose"},
		{registry.Question{Name: "fs-读文件"}, "fs 读文件 loose"},
		{registry.Question{Name: "fs-write_file2"}, ""},
		{registry.Question{Name: "any_fs_write_file"}, ""},
		{registry.Question{Name: "fs-"}, ""},
		{registry.Question{Name: "mcp__git__write_file"}, ""},
		{registry.Question{Name: "mcp__fs__"}, ""},
		{registry.Question{Name: "Bash"}, ""},
		{registry.Question{Name: ""}, ""},
	} {
		var got []string
		for _, c := range d.Lookup(tt.q) {
			text := c.Server + " " + c.Name
			if c.Bare {
				text += " bare"
			}
			if c.Loose {
				text += " loose"
			}
			got = append(got, text)
		}
		expect.NoDiff(t, cmp.Diff(tt.want, strings.Join(got, "; ")), "%+v", tt.q)
	}
}

// A tool that is gone can still be called by one who remembers it.
func TestLookupFindsWhatIsGone(t *testing.T) {
	d := newDesk(t, registry.Bounds{})
	d.observe(listing(t, "fs", "read"))
	d.observe(listing(t, "fs"))
	if got := d.Lookup(registry.Question{Name: "mcp__fs__read"}); len(got) != 1 {
		t.Errorf("found %v", got)
	}
}

// FuzzLookup: what a rule would take for a tool is found as the tool, and nothing else is but what clients write loosely.
func FuzzLookup(f *testing.F) {
	for _, tool := range []string{"read", " read ", "\u2028x", "İ", "straße", "a__b", "\u0301x", "ﬁle", "Ａ\u200b", "x\u2028", "ᾳ", "_", "a. "} {
		f.Add("fs", tool, uint8(0), "")
		f.Add("F S", tool, uint8(3), tool)
	}
	f.Fuzz(func(t *testing.T, server, tool string, way uint8, said string) {
		l := registry.Listing{Server: server, Complete: true}
		def, err := registry.Bounds{}.Read(server, fmt.Appendf(nil, `{"name":%s}`, quoted(tool)))
		if err != nil || toolname.Fold(server) == "" || strings.TrimSpace(toolname.FoldPiece(server)) != toolname.FoldPiece(server) {
			t.Skip()
		}
		l.Tools = append(l.Tools, def)
		r, err := registry.New(t.Context(), registry.Config{})
		expect.OK(t, err)
		if _, err := r.Observe(t.Context(), l); err != nil {
			t.Fatal(err)
		}
		found := func(name string) (exact bool) {
			for _, c := range r.Lookup(registry.Question{Name: name}) {
				exact = exact || !c.Loose
			}
			return exact
		}
		ways := []string{"%s", "mcp__" + server + "__%s", server + ".%s", server + "/%s", server + "__%s", server + "_%s", "mcp_" + server + "_%s"}
		spelt := strings.Replace(ways[int(way)%len(ways)], "%s", def.Name, 1)
		if !strings.Contains(server, "%s") && !found(spelt) {
			t.Errorf("%q of %q is not found as %q", tool, server, spelt)
		}
		if strings.ContainsAny(said, "*%") || strings.HasPrefix(toolname.Fold(said), toolname.Fold(server)+":") {
			return
		}
		glob := toolname.NewGlob(toolname.Fold(said))
		expect.Equal(t, glob.MatchesTool(server, def.Name), found(said), "%q for %q of %q: a rule says", said, tool, server)
	})
}

// quoted is a JSON string.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if r < ' ' || r == '"' || r == '\\' {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}
