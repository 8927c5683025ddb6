package pathname

import (
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/text/truth"
)

func roots(t testing.TB, texts ...string) []Root {
	t.Helper()
	var out []Root
	for _, text := range texts {
		r, err := NewRoot(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

var known = Place{Folder: "/home/ann/code", Home: "/home/ann"}

// All of these could lead to a file in /etc or in the user's .ssh folder.
var reach = []struct {
	path string
	want truth.Value
}{
	{"/etc", Yes},
	{"/etc/", Yes},
	{"/etc/passwd", Yes},
	{"//etc/passwd", Yes},
	{"///etc//passwd", Yes},
	{"/./etc/passwd", Yes},
	{"/etc/./passwd", Yes},
	{"/../etc/passwd", Yes},
	{"/../../etc/passwd", Yes},
	{"/home/../etc/passwd", Yes},
	{"/home/ann/../../etc", Yes},
	{"../../../etc/passwd", Yes},
	{"../../../../../../etc/passwd", Yes},
	{"./../../../etc", Yes},
	{"a/../../../../etc", Yes},
	{"a/b/../../../../../etc/x", Yes},
	{"~/../../etc/passwd", Yes},
	{"$HOME/../../etc", Yes},
	{"${HOME}/../../etc", Yes},
	{"$PWD/../../../etc", Yes},
	{"file:///etc/passwd", Yes},
	{"FILE:///etc/passwd", Yes},
	{"file:/etc/passwd", Yes},
	{"file://localhost/etc/passwd", Yes},
	{"file:///%65tc/passwd", Yes},
	{"file:///home/%2e%2e/etc", Yes},
	{"file:///home/..%2fetc", Yes},
	{"file:///home/%252e%252e/etc/passwd", Maybe},
	{"file:////etc/passwd", Yes},
	{"file:///etc/passwd#x", Yes},
	{"file:///etc/passwd?x", Yes},
	{"file:///etc?/../..", Maybe},
	{`file:\\\etc\passwd`, Yes},
	{" /etc/passwd", Maybe},
	{"/etc/passwd ", Yes},
	{"/etc/passwd\n", Maybe},
	{"\t/etc/passwd", Maybe},
	{"/etc/passwd\x00.txt", Maybe},
	{"/etc\x00/x", Maybe},
	{"work\n/etc/passwd", Maybe},
	{"/e\x01tc/passwd", Maybe},
	{"/ETC/passwd", Maybe},
	{"/Etc/passwd", Maybe},
	{"/ｅｔｃ/passwd", Maybe},
	{"／etc／passwd", Maybe},
	{"/home/．．/etc/passwd", Maybe},
	{"..／..／..／etc", Maybe},
	{"/home/‥/etc", Maybe},
	{"/et\u200bc/passwd", Maybe},
	{"/et\u00adc/x", Maybe},
	{`\etc\passwd`, Maybe},
	{`..\..\..\etc\passwd`, Maybe},
	{`/home\..\etc/passwd`, Maybe},
	{`a\..\..\..\..\etc`, Maybe},
	{"/etc./passwd", Maybe},
	{"/etc /passwd", Maybe},
	{"/home/.. /etc/passwd", Maybe},
	{"/home/.../etc", Maybe},
	{"/*/passwd", Maybe},
	{"/e*/passwd", Maybe},
	{"/e?c/passwd", Maybe},
	{"/[e]tc/passwd", Maybe},
	{"/{etc,home}/passwd", Maybe},
	{"/home/.*/etc", Maybe},
	{"/home/.?/etc", Maybe},
	{"/**/passwd", Maybe},
	{"$X/passwd", Maybe},
	{"${X}", Maybe},
	{"/$X/passwd", Maybe},
	{"$(echo /etc)/passwd", Maybe},
	{"`echo /etc`/x", Maybe},
	{"%X%/passwd", Maybe},
	{"/home/$X/y", Maybe},
	{"~bob/x", Maybe},
	{"~-/x", Maybe},
	{"/proc/self/root/etc/passwd", Maybe},
	{"/proc/1/root/etc/passwd", Maybe},
	{"/proc/self/cwd/x", Maybe},
	{"/private/etc/passwd", Maybe},
	{"/System/Volumes/Data/etc/x", Maybe},
	{"/dev/fd/3", Maybe},
	{"~/.ssh/id_rsa", Yes},
	{"/home/ann/.ssh", Yes},
	{"../.ssh/config", Yes},
	{"$HOME/.ssh/x", Yes},
	{"~/.SSH/x", Maybe},
	{"%USERPROFILE%/.ssh/x", Yes},
	{"~+/../.ssh", Yes},
	{"file://~/.ssh/x", No},
	{"${HOME}/code/../.ssh", Yes},
	{"~//.ssh/./x", Yes},
	{"$home/.ssh", Yes},
	{"C:", Maybe},
	{"C:x", Maybe},
	{`C:\etc\passwd`, Maybe},
}

func TestReach(t *testing.T) {
	r := roots(t, "/etc", "~/.ssh")
	for _, tt := range reach {
		if got := Within(tt.path, r, known); got != tt.want {
			t.Errorf("%q: %v, want %v", tt.path, got, tt.want)
		}
	}
	if len(reach) < 80 {
		t.Errorf("only %d", len(reach))
	}
}

func TestNoReach(t *testing.T) {
	r := roots(t, "/etc", "~/.ssh")
	paths := []string{
		"/", "/et", "/etcetera", "/etc2/x", "/etc-old/passwd", "/home/etc", "/home/ann/etc/passwd", "etc/passwd", "./etc", "etc", "a/etc", "../etc", "../../etc", "/etc/..", "/etc/../x",
		"/etc/../../home", "~/etc", "~/code", "~/.sshx", "~/.ssh/..", "~/.ssh/../x", "$HOME/code", "${HOME}/x", "main.go", "src/main.go", "src/*.go", "*.go", "src/**/*.go", "./...x",
		"a b/c", ".git/config", ".gitignore", "..a/b", "a..b", "-rf", "@scope/pkg", "/tmp/x", "/usr/lib/x", "/home/bob/.ssh", "/home/annx/.ssh", "/home/ann/code/.ssh/x", "file:///tmp/x",
		"file:///home/ann/etc", "file://server/etc/passwd", `C:\Users\ann`, `\\server\share\etc`, `D:\x\y`, "Über/maß.txt", "日本語/ファイル", "a%20b/c", "/mnt/c/Users", "/home/ann/*/../../etc", "/srv/e*",
		"https://example.com/etc/passwd", "work~1/x", "emoji😀.txt", "/var/etc/passwd", "C++/x", "/home/ann/.ssh_old/x",
	}
	for _, p := range paths {
		if got := Within(p, r, known); got != No {
			t.Errorf("%q: %v", p, got)
		}
	}
	if len(paths) < 50 {
		t.Errorf("only %d", len(paths))
	}
}

func TestRoots(t *testing.T) {
	nothing := Place{}
	windows := Place{Folder: `C:\code\app`, Home: `C:\Users\ann`}
	for _, tt := range []struct {
		root, path string
		at         Place
		want       truth.Value
	}{
		{".", "x", nothing, Yes},
		{".", "./x/y", nothing, Yes},
		{".", "a/../b", nothing, Yes},
		{".", "../x", nothing, Maybe},
		{".", "..", nothing, No},
		{".", "a/../../b", nothing, Maybe},
		{".", "/x", nothing, Maybe},
		{".", "~/x", nothing, Maybe},
		{".", "$X", nothing, Maybe},
		{".", "", nothing, Maybe},
		{".", "*", nothing, Yes},
		{".", "src/*.go", nothing, Yes},
		{"src", "src/x", nothing, Yes},
		{"src", "x", nothing, No},
		{"./src", "src/../src/x", nothing, Yes},
		{"src", "srcs", nothing, No},
		{"~/x", "~/x/y", nothing, Yes},
		{"~/x", "$HOME/x", nothing, Yes},
		{"~/x", "/home/ann/x", nothing, Maybe},
		{"~", "~/../y", nothing, Maybe},
		{"/a", "x", nothing, Maybe},
		{"/", "x", nothing, Yes},
		{"/", "/a", nothing, Yes},
		{".", "/home/ann/code/x", known, Yes},
		{".", "../code/x", known, Yes},
		{".", "../x", known, No},
		{"..", "../x", known, Yes},
		{".", "{a,b}", known, Yes},
		{".", "*", known, Yes},
		{".", "a\\b", known, Yes},
		{".", "a\\..\\b", known, Yes},
		{".", "a\\..\\..\\b", known, Maybe},
		{".", "/home/ann/*/x", known, Maybe},
		{".", "/home/ann/*/../code/x", known, Yes},
		{".", "sub/./a.", known, Yes},
		{".", " x", known, Yes},
		{".", "x\ny", known, Maybe},
		{"/home/ann/code/é", "e\u0301/x", known, Maybe},
		{"/home/ann/code/é", "é/x", known, Yes},
		{`C:\code`, `C:\code\x`, windows, Yes},
		{`C:\code`, `c:/code/x`, windows, Yes},
		{`C:\code`, `C:\CODE\x`, windows, Maybe},
		{`C:\code`, `C:\code\..\x`, windows, No},
		{`C:\code`, `D:\code`, windows, No},
		{`C:\code`, `\\?\C:\code\x`, windows, Yes},
		{`C:\code`, `\\.\C:\code\x`, windows, Yes},
		{`C:\code`, "/mnt/c/code/x", windows, Maybe},
		{`C:\code`, "/c/code/x", windows, Maybe},
		{`C:\code`, "file:///C:/code/x", windows, Yes},
		{`C:\code`, "file:///c|/code/x", windows, Yes},
		{`C:\code`, "file://C:/code/x", windows, Yes},
		{`C:\code`, `x`, windows, Yes},
		{`C:\code`, `..\..\y`, windows, Maybe},
		{`C:\code`, `C:WORK`, windows, Maybe},
		{`C:\code`, `\code\x`, windows, Yes},
		{"/mnt/c/code", `C:\code\x`, known, Maybe},
		{`C:\Program Files`, `C:\PROGRA~1\x`, windows, Maybe},
		{"~", `%USERPROFILE%\x`, windows, Yes},
		{"~", `$env:USERPROFILE\x`, windows, Yes},
		{"~", `~\x`, windows, Maybe},
		{`\\server\share`, `\\SERVER\share\x`, windows, Yes},
		{`\\server\share`, `\\?\UNC\server\share\x`, windows, Yes},
		{`\\server\share`, `\\server\share\..\other`, windows, Yes},
		{`\\server\share`, `\\server\other`, windows, No},
		{`C:\x`, `\\server\c$\x`, windows, Maybe},
		{`\\server\share`, "file://server/share/x", windows, Yes},
		{".", "app/[slug]/page.tsx", known, Yes},
		{".", "app/[...all]/(group)/@modal/(.)photo/[id]/x.tsx", known, Yes},
		{".", "{{name}}/x", known, Yes},
		{".", "src/{a,b}/x", known, Yes},
		{".", "100%/a%20b%20c", known, Yes},
		{".", "{.,x}{.,y}/z", known, Maybe},
		{".", "{a,../..}/x", known, Maybe},
		{".", "%2e%2e/%2e%2e/x", known, Maybe},
		{".", "a%2f..%2f..%2f..%2fetc", known, Maybe},
		{".", "@(..)/x", known, Maybe},
		{".", ".*/x", known, Maybe},
		{".", "routes/$id.tsx", known, Maybe},
		{".", "a$/b$.txt", known, Yes},
		{".", "%TEMP%/x", known, Maybe},
		{".", "[.][.]/x", known, Yes},
	} {
		if got := Within(tt.path, roots(t, tt.root), tt.at); got != tt.want {
			t.Errorf("%q in %q at %v: %v, want %v", tt.path, tt.root, tt.at, got, tt.want)
		}
	}
}

func TestSeveralRoots(t *testing.T) {
	r := roots(t, "/a", "/b")
	for p, want := range map[string]truth.Value{"/a/x": Yes, "/b/x": Yes, "/c": No, `/a/x\..\..\..\b`: Yes, "/A/x": Maybe} {
		if got := Within(p, r, known); got != want {
			t.Errorf("%q: %v, want %v", p, got, want)
		}
	}
	if got := Within("/a", nil, known); got != No {
		t.Errorf("without roots: %v", got)
	}
}

func TestWrongRoots(t *testing.T) {
	for text, cure := range map[string]string{
		"": "such as", " /x": "remove", "/x\n": "remove", "a\x00b": "such as", "/home/*": "everything below", "$HOME/x": "~", "~bob": "absolute", "file:///x": "such as", "C:x": "absolute", "/{a,b}": "everything below",
	} {
		if _, err := NewRoot(text); err == nil || !strings.Contains(err.Error(), cure) {
			t.Errorf("%q: %v, want %q", text, err, cure)
		}
	}
}

// What a root and clean names make is inside; with enough .. it is not.
func TestJoined(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"a", "b.txt", "src", "x y", "ü", ".git", "...a", "a..", "日本"}
	for range 20_000 {
		pick := func(n int) []string {
			out := make([]string, n)
			for i := range out {
				out[i] = names[random.IntN(len(names))]
			}
			return out
		}
		root := "/top/" + strings.Join(pick(1+random.IntN(3)), "/")
		inner := pick(random.IntN(4))
		p := root + "/" + strings.Join(inner, "/")
		r := roots(t, root)
		if got := Within(p, r, known); got != Yes {
			t.Fatalf("%q in %q: %v", p, root, got)
		}
		out := p + strings.Repeat("/..", len(inner)+1)
		if got := Within(out, r, known); got != No {
			t.Fatalf("%q in %q: %v", out, root, got)
		}
	}
}

func FuzzWithin(f *testing.F) {
	for _, tt := range reach {
		f.Add(tt.path, "/etc")
		f.Add(tt.path, "~/.ssh")
		f.Add(tt.path, ".")
	}
	f.Fuzz(func(t *testing.T, p, rootText string) {
		root, err := NewRoot(rootText)
		if err != nil {
			return
		}
		Within(p, []Root{root}, Place{})
		got := Within(p, []Root{root}, known)
		if strings.HasPrefix(p, "~") || strings.HasPrefix(rootText, "~") || strings.ContainsAny(p, "$%\\:`") || strings.ContainsAny(rootText, `\:`) {
			return
		}
		abs := func(s string) string {
			if !strings.HasPrefix(s, "/") {
				s = known.Folder + "/" + s
			}
			return path.Clean(s)
		}
		inside := abs(rootText) == "/" || abs(p) == abs(rootText) || strings.HasPrefix(abs(p), abs(rootText)+"/")
		if got == Yes && !inside || got == No && inside && p != "" {
			t.Errorf("%q in %q: %v, but %q in %q", p, rootText, got, abs(p), abs(rootText))
		}
	})
}

func BenchmarkWithin(b *testing.B) {
	r := roots(b, "/etc", "~/.ssh", ".")
	for name, p := range map[string]string{
		"short": "src/main.go", "1MiB": strings.Repeat("a/../b/", 1<<20/7), "1MiB-wide": strings.Repeat("ａ/", 1<<18), "8MiB": strings.Repeat("../", 8<<20/3),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(p)))
			b.ReportAllocs()
			for b.Loop() {
				Within(p, r, known)
			}
		})
	}
}
