// Package linediff shows people how two texts differ, line by line.
package linediff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/inert"
)

const (
	contextLines = 3
	// LongestLine is the longest line around a change that is shown whole. What changes is always shown whole.
	LongestLine = 400
	// mostSteps bounds the search for the smallest difference. Beyond it, all lines between the first and the last change are shown as
	// changed.
	mostSteps = 500
)

// A Diff is the difference of two texts.
type Diff struct{ lines []diffLine }

// Of compares two texts.
func Of(before, after []byte) Diff { return Diff{diffLines(splitLines(before), splitLines(after))} }

// Long says that a changed line is hard to read.
func (d Diff) Long() bool {
	return slices.ContainsFunc(d.lines, func(l diffLine) bool { return l.sign != ' ' && len(l.text) > LongestLine })
}

// WriteHunks writes the changes as a unified diff does, with some lines around each. Control sequences for terminals are escaped.
func (d Diff) WriteHunks(b *strings.Builder) { writeHunks(b, d.lines) }

// WriteNames writes the first lines of a unified diff: the names of the texts; "": there is none.
func WriteNames(b *strings.Builder, before, after string) {
	shown := func(name string) string {
		if name == "" {
			return "/dev/null"
		}
		return inert.Text(name, LongestLine)
	}
	fmt.Fprintf(b, "--- %s\n+++ %s\n", shown(before), shown(after))
}

// splitLines returns the lines of a text, with their ends.
func splitLines(data []byte) []string {
	var lines []string
	for line := range bytes.Lines(data) {
		lines = append(lines, string(line))
	}
	return lines
}

// A diffLine is a line that is unchanged, removed or added.
type diffLine struct {
	sign byte // ' ', '-' or '+'
	text string
}

// diffLines returns the difference from a to b.
func diffLines(a, b []string) []diffLine {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var lines []diffLine
	add := func(sign byte, texts ...string) {
		for _, text := range texts {
			lines = append(lines, diffLine{sign, text})
		}
	}
	add(' ', a[:head]...)
	lines = append(lines, shortest(a[head:len(a)-tail], b[head:len(b)-tail])...)
	add(' ', a[len(a)-tail:]...)
	return lines
}

// shortest returns the smallest difference of two texts, found step by step. After step d, furthest[k] is how many lines of a are
// covered with d lines removed or added, k more removed than added.
func shortest(a, b []string) []diffLine {
	var trace []map[int]int
	furthest := map[int]int{1: 0}
	for d := 0; d <= min(len(a)+len(b), mostSteps); d++ {
		trace = append(trace, cloneInts(furthest))
		for k := -d; k <= d; k += 2 {
			x := furthest[k-1] + 1
			if k == -d || k != d && furthest[k-1] < furthest[k+1] {
				x = furthest[k+1]
			}
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			furthest[k] = x
			if x >= len(a) && x-k >= len(b) {
				return retrace(a, b, trace)
			}
		}
	}
	var lines []diffLine
	for _, text := range a {
		lines = append(lines, diffLine{'-', text})
	}
	for _, text := range b {
		lines = append(lines, diffLine{'+', text})
	}
	return lines
}

// retrace walks the steps back from the ends of both texts.
func retrace(a, b []string, trace []map[int]int) []diffLine {
	var lines []diffLine
	x, y := len(a), len(b)
	for d := len(trace) - 1; d >= 0; d-- {
		furthest := trace[d]
		k := x - y
		from := k - 1
		if k == -d || k != d && furthest[k-1] < furthest[k+1] {
			from = k + 1
		}
		fromX := furthest[from]
		fromY := fromX - from
		for x > fromX && y > fromY && x > 0 && y > 0 {
			x, y = x-1, y-1
			lines = append(lines, diffLine{' ', a[x]})
		}
		switch {
		case d == 0:
		case x > fromX:
			x--
			lines = append(lines, diffLine{'-', a[x]})
		default:
			y--
			lines = append(lines, diffLine{'+', b[y]})
		}
	}
	slices.Reverse(lines)
	return lines
}

func cloneInts(m map[int]int) map[int]int {
	c := make(map[int]int, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

// writeHunks writes the changes, with some lines around each.
func writeHunks(b *strings.Builder, lines []diffLine) {
	oldLine, newLine := 1, 1
	for i := 0; i < len(lines); {
		if lines[i].sign == ' ' && !changesWithin(lines[i:min(i+contextLines+1, len(lines))]) {
			oldLine, newLine, i = oldLine+1, newLine+1, i+1
			continue
		}
		end, quiet := i, 0
		for end < len(lines) && quiet <= 2*contextLines {
			if quiet++; lines[end].sign != ' ' {
				quiet = 0
			}
			end++
		}
		end -= max(quiet-contextLines, 0)
		hunk := lines[i:end]
		olds, news := sides(hunk)
		fmt.Fprintf(b, "@@ -%s +%s @@\n", rangeText(oldLine, olds), rangeText(newLine, news))
		for _, l := range hunk {
			writeLine(b, l)
		}
		oldLine, newLine, i = oldLine+olds, newLine+news, end
	}
}

func changesWithin(lines []diffLine) bool {
	return slices.ContainsFunc(lines, func(l diffLine) bool { return l.sign != ' ' })
}

// sides returns how many lines of a hunk are in the old text, and how many in the new text.
func sides(hunk []diffLine) (olds, news int) {
	for _, l := range hunk {
		if l.sign != '+' {
			olds++
		}
		if l.sign != '-' {
			news++
		}
	}
	return olds, news
}

func rangeText(start, lines int) string {
	if lines == 0 {
		start--
	}
	return fmt.Sprintf("%d,%d", start, lines)
}

func writeLine(b *strings.Builder, l diffLine) {
	text, ended := strings.CutSuffix(l.text, "\n")
	text = strings.TrimSuffix(text, "\r")
	if runes := []rune(text); l.sign == ' ' && len(runes) > LongestLine {
		text = string(runes[:LongestLine]) + "…"
	}
	b.WriteByte(l.sign)
	_ = inert.WriteLines(b, text) // a builder has no error
	b.WriteByte('\n')
	if !ended {
		b.WriteString("\\ no newline at the end\n")
	}
}
