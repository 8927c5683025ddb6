package fileuse

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// listed are uses as texts.
func listed(uses []Use) []string {
	var out []string
	for _, u := range uses {
		out = append(out, [...]string{Reads: "reads ", Writes: "writes ", Removes: "removes "}[u.Deed]+u.Path)
	}
	return out
}

func TestFindPatch(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"add", "*** Begin Patch\n*** Add File: a b/c d.txt\n+x\n*** End Patch", []string{"writes a b/c d.txt"}},
		{
			"all kinds", "\n *** Begin Patch\n*** Update File: x\n*** Move to: y\n@@\n-a\n+b\n*** Delete File: /etc/z\n*** End Patch",
			[]string{"writes x", "removes x", "writes y", "removes /etc/z"},
		},
		{"indented, with carriage returns", "*** Begin Patch\r\n  *** Add File: ~/.bashrc \r\n+x\r\n*** End Patch\r\n", []string{"writes ~/.bashrc"}},
		{"no end", "*** Begin Patch\n*** Add File: x", []string{"writes x"}},
		{"inside a command", "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: x\n*** End Patch\nEOF", []string{"writes x"}},
		{"nothing in it", "*** Begin Patch\n*** End Patch", nil},
		{"diff", "--- a/x y.go\t2024-01-01\n+++ b/x y.go\t2024-01-01\n@@ -1 +1 @@\n-a\n+b\n", []string{"writes x y.go"}},
		{"diff without prefixes", "--- x.go\n+++ x.go\n@@ -1 +1 @@", []string{"writes x.go"}},
		{"diff of another name", "--- x.orig\n+++ x\n@@ -1 +1 @@", []string{"writes x.orig", "writes x"}},
		{"new file", "--- /dev/null\n+++ b/etc/x", []string{"writes etc/x"}},
		{"removed file", "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null", []string{"writes x", "removes x"}},
		{"renamed file", "diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/y\n", []string{"removes x", "writes y", "writes x", "writes y"}},
		{"odd name", "--- \"a/\\303\\244\"\n+++ \"b/\\303\\244\"", []string{"writes ä"}},
		{"absolute", "--- /etc/passwd\n+++ /etc/passwd", []string{"writes /etc/passwd"}},
		{"upwards", "--- a/../../.bashrc\n+++ b/../../.bashrc", []string{"writes ../../.bashrc"}},
		{"indented diff", "  --- a/x\r\n  +++ b/x\r\n", []string{"writes x"}},
		{"older format", "*** x.c\t2024\n--- x.c\t2024\n***************", []string{"writes x.c"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			uses, ok := FindPatch(tt.text, shell.Start{})
			if !ok {
				t.Fatal("it is no patch")
			}
			if diff := cmp.Diff(tt.want, listed(uses)); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, text := range []string{"", "rm -rf x", "echo '*** Begin'", "---\ntitle: x\n---\n+++ b", "a\n+++ b\n--- a\n", "--- a\n\n+++ b"} {
		if uses, ok := FindPatch(text, shell.Start{}); ok {
			t.Errorf("%q is a patch: %q", text, listed(uses))
		}
	}
}

// A patch is seen from the folder that the call names.
func TestFindPatchIn(t *testing.T) {
	places, err := NewPlaces([]string{"/etc/**"})
	if err != nil {
		t.Fatal(err)
	}
	const text = "*** Begin Patch\n*** Add File: hosts\n*** End Patch"
	for folder, want := range map[string]truth.Value{"/etc": Yes, "etc": No, "/srv/../etc": Yes} {
		uses, _ := FindPatch(text, shell.Start{Folders: []string{folder}})
		if got := best(places.Touched(uses, Writes)); got != want {
			t.Errorf("in %s: answer %d, want %d", folder, got, want)
		}
	}
}

// Every header counts, whatever stands around it.
func FuzzPatch(f *testing.F) {
	f.Add("*** Begin Patch\n*** Update File: x\n*** Move to: y\n", "*** End Patch")
	f.Add("--- a/x\n+++ b/x\n@@ -1 +1 @@\n", "--- ")
	f.Add("*** ", "diff --git a b")
	f.Add("diff --git a/ b/\n--- \"\n+++ \"\n", "rename to ")
	places, err := NewPlaces([]string{"/etc/shadow"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		if len(before)+len(after) > 4096 {
			t.Skip()
		}
		for _, header := range []string{"*** Add File: /etc/shadow", "--- /etc/shadow\n+++ /etc/shadow", "*** Delete File: /etc/../etc/shadow"} {
			text := "*** Begin Patch\n" + before + "\n" + header + "\n" + after
			uses, ok := FindPatch(text, shell.Start{})
			if !ok || best(places.Touched(uses, Writes)) != Yes {
				t.Errorf("%q: not found: %q", text, listed(uses))
			}
		}
		_, ok := FindPatch(strings.ReplaceAll(before, "\n", " "), shell.Start{})
		if ok && !strings.HasPrefix(strings.TrimLeft(before, " \t\r\n\uFEFF"), beginPatch) {
			t.Errorf("one line is a patch: %q", before)
		}
	})
}
