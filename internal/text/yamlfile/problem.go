package yamlfile

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Problem is one thing that is wrong with a file: where it is, what is wrong, and how to fix it.
type Problem struct {
	File    string
	Line    int // from 1; 0 if the problem is the whole file
	Column  int // in characters, from 1
	Key     string
	Message string
	Cure    string
}

// String renders the problem on one line: file:line:column: key: message; cure.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	if p.Key != "" {
		b.WriteString(": " + p.Key)
	}
	b.WriteString(": " + p.Message)
	if p.Cure != "" {
		b.WriteString("; " + p.Cure)
	}
	return b.String()
}

// Problems is everything that is wrong with a file, sorted by line. As an error it prints one per line.
type Problems []Problem

// Error formats each problem on its own line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// A Report collects the problems of one file while it is read.
type Report struct {
	file     string
	problems Problems
}

// Add adds a problem at n. A nil n means the whole file.
func (r *Report) Add(n *Node, message, cure string) {
	p := Problem{File: r.file, Message: message, Cure: cure}
	if n != nil {
		p.File, p.Line, p.Column, p.Key = cmp.Or(n.File(), r.file), n.Line, n.Column, n.Key()
	}
	r.problems = append(r.problems, p)
}

// at adds a problem at a position that is no node.
func (r *Report) at(line, column int, message, cure string) {
	r.problems = append(r.problems, Problem{File: r.file, Line: line, Column: column, Message: message, Cure: cure})
}

// Join adds the problems of another file, which belongs to this one.
func (r *Report) Join(other *Report) { r.problems = append(r.problems, other.problems...) }

// Clean says that there are no problems.
func (r *Report) Clean() bool { return len(r.problems) == 0 }

// CleanAt says that there are no problems with the members of these names in the file's top mapping, nor with the whole file.
func (r *Report) CleanAt(names ...string) bool {
	for _, p := range r.problems {
		if p.Key == "" {
			return false
		}
		for _, name := range names {
			if rest, ok := strings.CutPrefix(p.Key, name); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				return false
			}
		}
	}
	return true
}

// Err returns Problems sorted by file and line, those of the report's own file first, or nil if there are none.
func (r *Report) Err() error {
	if r.Clean() {
		return nil
	}
	sorted := slices.Clone(r.problems)
	slices.SortStableFunc(sorted, func(a, b Problem) int {
		if a.File != b.File && (a.File == r.file || b.File == r.file) {
			return map[bool]int{true: -1, false: 1}[a.File == r.file]
		}
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return sorted
}

// maxQuoted is how many characters of a file's own text a message repeats.
const maxQuoted = 60

// Quote renders text from a file for a message: on one line, in quotes, shortened if long.
func Quote(text string) string {
	if utf8.RuneCountInString(text) > maxQuoted {
		return strconv.Quote(string([]rune(text[:min(len(text), 4*maxQuoted)])[:maxQuoted])) + "…"
	}
	return strconv.Quote(text)
}

// OneOf lists words the way a sentence does: a, b or c.
func OneOf(words []string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
}
