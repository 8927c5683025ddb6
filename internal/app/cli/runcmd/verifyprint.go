package runcmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/run/verify"
	"github.com/weir-gate/weir/internal/text/quantity"
)

// The widths of the table, in characters.
const (
	tableWidth  = 100
	statusWidth = 14
	triedWidth  = 34
)

// printVerify prints rows as a table that can be read at 100 columns.
func printVerify(out io.Writer, rows []verify.Row, failed bool) error {
	var b strings.Builder
	area := ""
	for _, r := range rows {
		if r.Area != area {
			if area != "" {
				b.WriteByte('\n')
			}
			area = r.Area
			b.WriteString(area + "\n")
		}
		head := fmt.Sprintf("  %-*s  %-*s  ", statusWidth, statusWord(r), triedWidth, r.Tried)
		if len([]rune(r.Tried)) > triedWidth {
			b.WriteString(strings.TrimRight(head, " ") + "\n")
			head = strings.Repeat(" ", statusWidth+triedWidth+6)
		}
		hang(&b, head, r.Seen)
		if r.Cure != "" && r.Status != verify.Covered {
			hang(&b, strings.Repeat(" ", statusWidth+triedWidth+6), "cure: "+r.Cure)
		}
	}
	b.WriteString("\n" + verdictOn(rows, failed) + "\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// statusWord returns the status of a row for the table. A row that is not covered is a failure only if the set-up promises it.
func statusWord(r verify.Row) string {
	if r.Status == verify.NotCovered && !r.Promised {
		return "not promised"
	}
	return string(r.Status)
}

// verdictOn returns the last lines of the table.
func verdictOn(rows []verify.Row, failed bool) string {
	counts := map[string]int64{}
	for _, r := range rows {
		counts[statusWord(r)]++
	}
	sum := fmt.Sprintf("%d covered, %d not covered, %s, %d that cannot be told, %d not promised",
		counts[string(verify.Covered)], counts[string(verify.NotCovered)], quantity.Count(counts[string(verify.Warning)], "warning"),
		counts[string(verify.Untold)], counts["not promised"])
	switch {
	case failed:
		return sum + "\nnot everything that this setup promises is covered"
	case counts[string(verify.Warning)] > 0:
		return sum + "\neverything that this setup promises is covered, but it promises less than weir can do: see the warnings"
	}
	return sum + "\neverything that this setup promises is covered"
}

// hang writes text after a head, in lines that are not wider than the table, unless a single word is.
func hang(b *strings.Builder, head, text string) {
	indent := len([]rune(head))
	b.WriteString(head)
	at := indent
	for i, word := range strings.Fields(text) {
		width := len([]rune(word))
		switch {
		case i == 0:
		case at+1+width > tableWidth:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += width
	}
	b.WriteByte('\n')
}

// printVerifyJSON prints rows for programs.
func printVerifyJSON(out io.Writer, rows []verify.Row, failed bool) error {
	text, err := json.Marshal(struct {
		OK   bool         `json:"ok"`
		Rows []verify.Row `json:"rows"`
	}{!failed, rows})
	if err != nil {
		return err
	}
	_, err = out.Write(append(text, '\n'))
	return err
}
