package house

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const maxColumns = 140

func TestLinesAreShort(t *testing.T) {
	eachFile(t, ".go", func(path string, data []byte) {
		if !product(path) {
			return
		}
		for i, line := range strings.Split(string(data), "\n") {
			if len(line) > maxColumns {
				t.Errorf("%s:%d has %d columns, at most %d", path, i+1, len(line), maxColumns)
			}
		}
	})
}

var nolint = regexp.MustCompile(`//\s*nolint`)

// No linter runs that reads such comments. A reason that is worth reading is an ordinary comment.
func TestNoCommentsForAbsentLinters(t *testing.T) {
	eachFile(t, ".go", func(path string, data []byte) {
		if at := nolint.FindIndex(data); at != nil {
			t.Errorf("%s:%d is a comment for a linter", path, 1+bytes.Count(data[:at[0]], []byte("\n")))
		}
	})
}

func TestBuiltinsAreNotShadowed(t *testing.T) {
	eachGoFile(t, func(set *token.FileSet, f goFile) {
		for _, name := range declared(f.parsed) {
			if types.Universe.Lookup(name.Name) != nil {
				t.Errorf("%s: %s hides the builtin", set.Position(name.Pos()), name.Name)
			}
		}
	})
}

// declared lists what a file declares but methods and fields, which are always written behind a dot.
func declared(file *ast.File) []*ast.Ident {
	var names []*ast.Ident
	expressions := func(list []ast.Expr) {
		for _, e := range list {
			if id, ok := e.(*ast.Ident); ok {
				names = append(names, id)
			}
		}
	}
	fields := func(list *ast.FieldList) {
		if list != nil {
			for _, f := range list.List {
				names = append(names, f.Names...)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			fields(n.Recv)
			if n.Recv == nil {
				names = append(names, n.Name)
			}
		case *ast.FuncType:
			fields(n.TypeParams)
			fields(n.Params)
			fields(n.Results)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				expressions(n.Lhs)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				expressions([]ast.Expr{n.Key, n.Value})
			}
		case *ast.ValueSpec:
			names = append(names, n.Names...)
		case *ast.TypeSpec:
			names = append(names, n.Name)
			fields(n.TypeParams)
		case *ast.ImportSpec:
			if n.Name != nil {
				names = append(names, n.Name)
			}
		}
		return true
	})
	return names
}

func TestExportedNamesHaveComments(t *testing.T) {
	eachGoFile(t, func(set *token.FileSet, f goFile) {
		if !product(f.path) || f.parsed.Name.Name == "main" {
			return
		}
		for _, name := range uncommented(f.parsed) {
			t.Errorf("%s: %s has no comment", set.Position(name.Pos()), name.Name)
		}
	})
}

// uncommented lists exported functions, methods of exported types, types, variables and constants without a comment of their own or of their group.
func uncommented(file *ast.File) []*ast.Ident {
	var names []*ast.Ident
	bare := func(list []*ast.Ident, comments ...*ast.CommentGroup) {
		if slices.ContainsFunc(comments, func(c *ast.CommentGroup) bool { return c != nil }) {
			return
		}
		for _, name := range list {
			if name.IsExported() {
				names = append(names, name)
			}
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || receiverIsExported(d) {
				bare([]*ast.Ident{d.Name}, d.Doc)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					bare([]*ast.Ident{s.Name}, d.Doc, s.Doc, s.Comment)
				case *ast.ValueSpec:
					bare(s.Names, d.Doc, s.Doc, s.Comment)
				}
			}
		}
	}
	return names
}

// receiverIsExported also leaves out methods that only make a type fit an interface of the standard library: their names say it all.
func receiverIsExported(d *ast.FuncDecl) bool {
	expected := []string{"Error", "Unwrap", "String", "Read", "Write", "Close", "ServeHTTP", "Len", "Less", "Swap", "Is", "As"}
	of := d.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	id, ok := of.(*ast.Ident)
	return ok && id.IsExported() && !slices.Contains(expected, d.Name.Name)
}

// product tells the files that weir is built of from those for tests.
func product(path string) bool {
	name, inside := strings.CutPrefix(strings.TrimPrefix(path, "../../"), "internal/")
	if !inside {
		return strings.HasPrefix(name, "cmd/")
	}
	folder := name[:max(strings.LastIndexByte(name, '/'), 0)]
	return !strings.HasSuffix(path, "_test.go") && !testOnly(folder) && !strings.HasPrefix(name, "weirtest/")
}
