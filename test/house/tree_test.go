package house

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

type goPackage struct {
	ImportPath string
	Imports    []string
	Dir        string
}

// A file is one of the repository that is for people to read.
type file struct {
	path string
	data []byte
}

type goFile struct {
	file
	parsed *ast.File
}

// Every rule looks at the whole tree, which is read once.
var (
	listed = sync.OnceValues(list)
	read   = sync.OnceValues(readAll)
	parsed = sync.OnceValues(parseAll)

	positions = token.NewFileSet() // of all that is parsed
)

func list() (all []goPackage, err error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Dir", "./...")
	cmd.Dir = "../.."
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, &said)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More() && err == nil; {
		var p goPackage
		err = d.Decode(&p)
		all = append(all, p)
	}
	return all, err
}

func readAll() (all []file, err error) {
	extensions := map[string]bool{".go": true, ".md": true, ".yaml": true, ".sh": true, ".txtar": true, ".mjs": true, ".py": true}
	// What builds and package managers write is not ours.
	foreign := map[string]bool{".git": true, "node_modules": true, "bin": true, "dist": true, ".cache": true}
	err = filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && foreign[d.Name()] {
			return filepath.SkipDir
		}
		if d.IsDir() || !extensions[filepath.Ext(path)] {
			return nil
		}
		data, err := os.ReadFile(path)
		all = append(all, file{path, data})
		return err
	})
	return all, err
}

func parseAll() (all []goFile, err error) {
	files, err := read()
	for _, f := range files {
		if filepath.Ext(f.path) != ".go" || err != nil {
			continue
		}
		g := goFile{file: f}
		g.parsed, err = parser.ParseFile(positions, f.path, f.data, parser.ParseComments|parser.SkipObjectResolution)
		all = append(all, g)
	}
	return all, err
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	all, err := listed()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// eachFile visits the files with an extension; "": with any of those that are read.
func eachFile(t *testing.T, extension string, visit func(path string, data []byte)) {
	t.Helper()
	files, err := read()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if extension == "" || filepath.Ext(f.path) == extension {
			visit(f.path, f.data)
		}
	}
}

func eachGoFile(t *testing.T, visit func(*token.FileSet, goFile)) {
	t.Helper()
	files, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		visit(positions, f)
	}
}
