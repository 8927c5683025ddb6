package house

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/weir-gate/weir/"

// layers lists the packages from the bottom up: a package imports only what stands in a line above its own. Packages
// of one line do not import each other.
var layers = [][]string{
	{"internal/call", "internal/strictjson", "internal/yamlfile", "internal/address", "internal/pathname", "internal/sqltext", "internal/shell", "internal/script", "internal/expr", "internal/inert", "internal/envtext", "internal/echo", "internal/budget", "internal/door/reqbody"},
	{"internal/frame", "internal/redact", "internal/limit", "internal/price", "internal/fileuse", "internal/nested", "internal/jsonrpc", "internal/scan", "internal/child", "internal/outgoing", "internal/admission", "internal/setup", "internal/confine"},
	{"internal/dialect", "internal/reach", "internal/policy/declared", "internal/agent"},
	{"internal/dialect/openaierror", "internal/dialect/openaitools", "internal/dialect/loose", "internal/endpoint"},
	{"internal/dialect/anthropic", "internal/dialect/openaichat", "internal/dialect/openairesponses", "internal/dialect/gemini", "internal/dialect/ollama", "internal/dialect/bedrock", "internal/dialect/bundle", "internal/policy", "internal/audit", "internal/bodies", "internal/mcp"},
	{"internal/registry"},
	{"internal/gate", "internal/store", "internal/config", "internal/outbox", "internal/metrics"},
	{"internal/judge", "internal/telemetry", "internal/webhook", "internal/control"},
	{"internal/door/llm", "internal/door/mcpstdio", "internal/door/mcphttp", "internal/door/egress", "internal/canary"},
	{"internal/daemon", "internal/run"},
	{"internal/verify", "internal/doctor"},
	{"internal/demo"},
	{"internal/cli"},
	{"cmd/weir"},
}

// forbidden imports, beyond the layers: what a package must never know.
var forbidden = map[string][]string{
	"internal/gate":   {"net/http", "database/sql", "internal/dialect/anthropic", "internal/dialect/openaichat", "internal/dialect/openairesponses", "internal/dialect/gemini", "internal/dialect/ollama", "internal/dialect/bedrock", "internal/dialect/bundle", "internal/store", "internal/policy", "internal/audit"},
	"internal/judge":  {"net/http", "database/sql", "internal/dialect", "internal/store", "internal/gate"},
	"internal/policy": {"net/http", "database/sql", "time", "os", "context", "sync"},
	"internal/frame":  {"net/http", "github.com/go-json-experiment/json"},
}

type goPackage struct {
	ImportPath string
	Imports    []string
	Dir        string
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Dir", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []goPackage
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p goPackage
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

func TestImportsPointDownward(t *testing.T) {
	level := map[string]int{}
	for i, layer := range layers {
		for _, p := range layer {
			level[p] = i
		}
	}
	seen := map[string]bool{}
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		seen[name] = true
		mine, placed := level[name]
		if !placed {
			if !testOnly(name) {
				t.Errorf("%s has no place in the layers; give it one", name)
			}
			continue
		}
		for _, imp := range p.Imports {
			dep, ours := strings.CutPrefix(imp, module)
			if theirs, ok := level[dep]; ours && ok && theirs >= mine {
				t.Errorf("%s imports %s, which is not below it", name, dep)
			}
			if slices.ContainsFunc(forbidden[name], func(f string) bool { return imp == f || dep == f }) {
				t.Errorf("%s must not know %s", name, imp)
			}
		}
	}
	for name := range level {
		if !seen[name] {
			t.Errorf("%s stands in the layers and is not there", name)
		}
	}
}

// testOnly are packages that the product does not contain, or that only the demo does.
func testOnly(name string) bool {
	return strings.HasPrefix(name, "test/") || strings.HasPrefix(name, "bench") || strings.HasSuffix(name, "test") ||
		strings.HasPrefix(name, "internal/weirtest")
}

var badNames = regexp.MustCompile(`/(util|utils|common|types|manager|helper|helpers|misc)(/|$)`)

func TestPackages(t *testing.T) {
	for _, p := range packages(t) {
		if badNames.MatchString(p.ImportPath) {
			t.Errorf("%s: the name says nothing", p.ImportPath)
		}
		if !hasPackageDoc(t, p.Dir) {
			t.Errorf("%s has no package comment", p.ImportPath)
		}
	}
}

func hasPackageDoc(t *testing.T, dir string) bool {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, f := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if parsed.Doc != nil {
			return true
		}
	}
	return false
}

const (
	maxFileLines = 420
	maxFuncLines = 65
)

func TestFilesAndFunctionsAreShort(t *testing.T) {
	eachFile(t, ".go", func(path string, data []byte) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		if n := bytes.Count(data, []byte("\n")); n > maxFileLines {
			t.Errorf("%s has %d lines: is a noun missing?", path, n)
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, path, data, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := set.Position(f.End()).Line - set.Position(f.Pos()).Line; n > maxFuncLines {
				t.Errorf("%s: %s has %d lines", path, f.Name.Name, n)
			}
		}
	})
}

var (
	unfinished = regexp.MustCompile(`\b(TODO|FIXME|XXX)\b`)
	foreign    = regexp.MustCompile(`(^|[^A-Za-z0-9_.])/(root|farm)/`)
)

func TestNothingUnfinishedOrForeign(t *testing.T) {
	for _, ext := range []string{".go", ".md", ".yaml", ".sh", ".txtar", ".mjs", ".py"} {
		eachFile(t, ext, func(path string, data []byte) {
			if strings.HasSuffix(path, "house_test.go") {
				return
			}
			if m := unfinished.Find(data); m != nil && ext != ".txtar" {
				t.Errorf("%s says %s", path, m)
			}
			if m := foreign.Find(data); m != nil {
				t.Errorf("%s names a path of one machine: %s", path, m)
			}
		})
	}
}

func TestFilesAreFormatted(t *testing.T) {
	eachFile(t, ".go", func(path string, data []byte) {
		if formatted, err := format.Source(data); err != nil || !bytes.Equal(formatted, data) {
			t.Errorf("%s is not formatted; run gofmt -w on it", path)
		}
	})
}

// The old package folds case and keeps the last of two members, where a client may keep the first. Tests may play such clients.
func TestNoLenientJSONOnTheWire(t *testing.T) {
	for _, p := range packages(t) {
		if !testOnly(strings.TrimPrefix(p.ImportPath, module)) && strings.HasPrefix(p.ImportPath, module+"internal/") && slices.Contains(p.Imports, "encoding/json") {
			t.Errorf("%s imports encoding/json, which folds case and keeps the last of two", p.ImportPath)
		}
	}
}

func eachFile(t *testing.T, ext string, visit func(path string, data []byte)) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || d.Name() == "bin") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ext {
			return nil
		}
		data, err := os.ReadFile(path)
		if err == nil {
			visit(path, data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
