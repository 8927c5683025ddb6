package house

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/weir-gate/weir/"

// floors lists the wings of internal/ from the ground up. A package knows only what stands on a floor below its own, and the rest of its own wing.
// Where a room stands on another floor than its wing, it is named: the longest name counts.
var floors = []string{
	"call strictjson",
	"text",
	"intake approval",
	"frame run/setup run/confine run/egress",
	"policy model/wire model/dialect model/endpoint model/formats run/agent",
	"mcp gate",
	"record",
	"judge approval/desk",
	"model app/config app/control",
	"run",
	"app",
}

// pure is what a room must not know that decides by what it is given and nothing else.
const pure = "net/http database/sql time os context sync"

// store is behind what the other rooms of the record ask for: they do not know which one it is.
const store = "database/sql internal/record/store"

// closed rooms: what a package must never know, beyond the floors.
var closed = map[string]string{
	"call":     "net/http database/sql",
	"approval": "net/http database/sql os",
	"frame":    "net/http github.com/go-json-experiment/json",
	"gate":     "net/http database/sql internal/policy internal/model/dialect/*",
	"judge":    "net/http database/sql internal/model internal/record/store internal/gate",
	"record":   store, "record/recorder": store, "record/query": store, "record/checkpoint": store, "record/custodian": store,
	"record/recordlog": store, "record/follower": store,
	"record/verify": store, "record/export": store, "record/show": store, "record/summary": store,
	"policy": pure, "policy/condition": pure, "policy/argument": pure, "policy/toolname": pure, "policy/preset": pure, "policy/study": pure,
	"policy/warn":      pure,
	"policy/exemption": pure,
	"mcp":              "net/http database/sql internal/model internal/policy",
	"model/dialect":    "database/sql internal/gate internal/judge internal/record",
}

const maxNames = 15

func TestFirstLevelIsShort(t *testing.T) {
	names, err := os.ReadDir("../../internal")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) > maxNames {
		t.Errorf("internal/ shows %d names at its first level, at most %d: which wing is it a room of?", len(names), maxNames)
	}
}

func TestImportsPointDownward(t *testing.T) {
	for _, p := range packages(t) {
		name, inside := strings.CutPrefix(p.ImportPath, module+"internal/")
		if !inside || testOnly(name) {
			continue
		}
		mine, placed := floorOf(name)
		if !placed {
			t.Errorf("%s stands on no floor; give its wing one", name)
		}
		for _, imp := range p.Imports {
			dep, ours := strings.CutPrefix(imp, module+"internal/")
			theirs, _ := floorOf(dep)
			if ours && theirs >= mine && wing(dep) != wing(name) {
				t.Errorf("%s imports %s, which is not below it", name, dep)
			}
			if isClosed(name, strings.TrimPrefix(imp, module)) {
				t.Errorf("%s must not know %s", name, imp)
			}
		}
	}
}

// The readers by which tests check the formats share nothing with the dialects, and neither do the kits that write them: that is what
// their word is worth.
func TestReadersOfTestsAreIndependent(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module+"internal/")
		if name != "weirtest/fold" && name != "model/wire" {
			continue
		}
		for _, imp := range p.Imports {
			if strings.HasPrefix(imp, module+"internal/model/dialect") {
				t.Errorf("%s imports %s: what it checks would check itself", name, strings.TrimPrefix(imp, module))
			}
		}
	}
}

// No format knows another one, no door another one, and no group of commands another one. The formats are those that the list of them imports.
func TestSiblingsAreStrangers(t *testing.T) {
	all := packages(t)
	formats := map[string]bool{}
	for _, p := range all {
		if p.ImportPath == module+"internal/model/formats" {
			for _, imp := range p.Imports {
				formats[imp] = strings.HasPrefix(imp, module+"internal/model/dialect/")
			}
		}
	}
	if len(formats) < 2 {
		t.Fatal("the list of formats is not there")
	}
	doors := regexp.MustCompile(`/internal/(model/proxy|mcp/shim|mcp/gateway|run/egress)$`)
	groups := regexp.MustCompile(`/internal/app/cli/\w+cmd$`)
	for _, p := range all {
		for _, imp := range p.Imports {
			if formats[p.ImportPath] && formats[imp] || doors.MatchString(p.ImportPath) && doors.MatchString(imp) ||
				groups.MatchString(p.ImportPath) && groups.MatchString(imp) {
				t.Errorf("%s imports %s", p.ImportPath, imp)
			}
		}
	}
}

func wing(name string) string {
	first, _, _ := strings.Cut(name, "/")
	return first
}

func floorOf(name string) (floor int, placed bool) {
	longest := -1
	for i, rooms := range floors {
		for _, room := range strings.Fields(rooms) {
			if (name == room || strings.HasPrefix(name, room+"/")) && len(room) > longest {
				floor, longest = i, len(room)
			}
		}
	}
	return floor, longest >= 0
}

func isClosed(name, imp string) bool {
	for _, f := range strings.Fields(closed[name]) {
		under, all := strings.CutSuffix(f, "/*")
		if imp == f || strings.HasPrefix(imp, under+"/") && (all || strings.HasPrefix(f, "internal/")) {
			return true
		}
	}
	return false
}

// testOnly are packages that the product does not contain.
func testOnly(name string) bool {
	return strings.HasSuffix(name, "test") || strings.HasPrefix(name, "weirtest/")
}

var badNames = regexp.MustCompile(`/(util|utils|common|types|manager|helper|helpers|misc)(/|$)`)

func TestPackages(t *testing.T) {
	documented := map[string]bool{}
	eachGoFile(t, func(_ *token.FileSet, f goFile) {
		dir, err := filepath.Abs(filepath.Dir(f.path))
		if err != nil {
			t.Fatal(err)
		}
		documented[dir] = documented[dir] || f.parsed.Doc != nil
	})
	for _, p := range packages(t) {
		if badNames.MatchString(p.ImportPath) {
			t.Errorf("%s: the name says nothing", p.ImportPath)
		}
		if !documented[p.Dir] {
			t.Errorf("%s has no package comment", p.ImportPath)
		}
	}
}

const (
	maxFileLines = 420
	maxFuncLines = 65
)

func TestFilesAndFunctionsAreShort(t *testing.T) {
	eachGoFile(t, func(set *token.FileSet, f goFile) {
		if strings.HasSuffix(f.path, "_test.go") {
			return
		}
		if n := bytes.Count(f.data, []byte("\n")); n > maxFileLines {
			t.Errorf("%s has %d lines: is a noun missing?", f.path, n)
		}
		for _, d := range f.parsed.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := set.Position(d.End()).Line - set.Position(d.Pos()).Line; n > maxFuncLines {
				t.Errorf("%s: %s has %d lines", f.path, d.Name.Name, n)
			}
		}
	})
}

var (
	unfinished = regexp.MustCompile(`\b(TODO|FIXME|XXX)\b`)
	foreign    = regexp.MustCompile(`(^|[^A-Za-z0-9_.])/(root|farm)/`)
)

func TestNothingUnfinishedOrForeign(t *testing.T) {
	eachFile(t, "", func(path string, data []byte) {
		if strings.HasSuffix(path, "house_test.go") {
			return
		}
		if m := unfinished.Find(data); m != nil && filepath.Ext(path) != ".txtar" {
			t.Errorf("%s says %s", path, m)
		}
		if m := foreign.Find(data); m != nil {
			t.Errorf("%s names a path of one machine: %s", path, m)
		}
	})
}

func TestFilesAreFormatted(t *testing.T) {
	eachGoFile(t, func(set *token.FileSet, f goFile) {
		var formatted bytes.Buffer
		if err := format.Node(&formatted, set, f.parsed); err != nil || !bytes.Equal(formatted.Bytes(), f.data) {
			t.Errorf("%s is not formatted; run gofmt -w on it", f.path)
		}
	})
}

// The old package folds case and keeps the last of two members, where a client may keep the first. Tests may play such clients.
func TestNoLenientJSONOnTheWire(t *testing.T) {
	for _, p := range packages(t) {
		name, inside := strings.CutPrefix(p.ImportPath, module+"internal/")
		if inside && !testOnly(name) && slices.Contains(p.Imports, "encoding/json") {
			t.Errorf("%s imports encoding/json, which folds case and keeps the last of two", p.ImportPath)
		}
	}
}
