package demo

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/weir-gate/weir/internal/record/show"
)

// The columns of the screen.
const (
	modelColumn = iota
	agentColumn
	recordColumn
	columns
)

// A screen shows what happens side by side, in columns.
type screen struct {
	mu    sync.Mutex
	out   io.Writer
	width int // of one column
	style show.Style
}

func newScreen(out io.Writer, width int, style show.Style) *screen {
	return &screen{out: out, width: max((width-2*(columns-1))/columns, 20), style: style}
}

// header names the columns.
func (s *screen) header() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.row([columns]string{"WHAT THE MODEL SENT", "WHAT THE AGENT RECEIVED", "WHAT WEIR RECORDED"}, s.style.Faint)
	rule := strings.Repeat("─", s.width)
	s.row([columns]string{rule, rule, rule}, s.style.Faint)
}

// line prints text across all columns.
func (s *screen) line(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(s.out, text)
}

// plain leaves a text as it is.
func plain(text string) string { return text }

// show prints text in its column, each line as paint has it.
func (s *screen) show(column int, text string, paint func(string) string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, part := range wrap(text, s.width) {
		if i > 0 {
			part = "      " + part
		}
		var cells [columns]string
		cells[column] = part
		s.row(cells, paint)
	}
}

func (s *screen) row(cells [columns]string, paint func(string) string) {
	var b strings.Builder
	for i, c := range cells {
		if i > 0 {
			b.WriteString("  ")
		}
		pad := strings.Repeat(" ", max(s.width-len([]rune(c)), 0))
		b.WriteString(paint(c) + pad)
	}
	fmt.Fprintln(s.out, strings.TrimRight(b.String(), " "))
}

// wrap cuts text into lines that fit a column, if possible at spaces. Lines after the first are indented by the caller.
func wrap(text string, width int) []string {
	var lines []string
	rest := []rune(text)
	for limit := width; len(rest) > limit; limit = width - 6 {
		cut := limit
		for i := limit; i > limit/2; i-- {
			if rest[i] == ' ' {
				cut = i
				break
			}
		}
		lines = append(lines, string(rest[:cut]))
		rest = []rune(strings.TrimLeft(string(rest[cut:]), " "))
	}
	return append(lines, string(rest))
}
