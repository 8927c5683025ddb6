package main

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// A count is how many cells of a row were played, and what came of them.
type count struct {
	row
	refused, allowed      int
	leaks, breaks, alters int
}

func (n *count) faults() int { return n.leaks + n.breaks + n.alters }

// mark is ✓, or what is wrong.
func (n *count) mark() string {
	if n.faults() == 0 {
		return "✓"
	}
	return fmt.Sprintf("✗ %d", n.faults())
}

// A summary counts by row, in the order of the rows.
type summary []*count

func summed(findings []finding) summary {
	at := map[row]*count{}
	var s summary
	for _, f := range findings {
		n := at[f.cell.row]
		if n == nil {
			n = &count{row: f.cell.row}
			at[f.cell.row] = n
			s = append(s, n)
		}
		n.add(f)
	}
	return s
}

func (n *count) add(f finding) {
	if f.cell.verdict.released {
		n.allowed++
	} else {
		n.refused++
	}
	switch f.fault {
	case leaks:
		n.leaks++
	case breaks:
		n.breaks++
	case alters:
		n.alters++
	}
}

func (s summary) faults() int {
	sum := 0
	for _, n := range s {
		sum += n.faults()
	}
	return sum
}

// total is the sum of all rows.
func (s summary) total() count {
	var t count
	for _, n := range s {
		t.refused += n.refused
		t.allowed += n.allowed
		t.leaks += n.leaks
		t.breaks += n.breaks
		t.alters += n.alters
	}
	return t
}

// upstreams names the ways to the endpoint of a row.
func (r row) upstreams() string {
	var names []string
	for _, way := range r.format.routes(r.endpoint) {
		names = append(names, way.upstream)
	}
	return strings.Join(names, ", ")
}

// table is the summary for a terminal.
func (s summary) table() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "format\tendpoint\tupstreams\tmode\tcells\tleaks\tbreaks\talters\t")
	for _, n := range s {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t\n", n.format.name, n.endpoint.name(), n.upstreams(), n.mode,
			n.refused+n.allowed, n.leaks, n.breaks, n.alters)
	}
	t := s.total()
	fmt.Fprintf(w, "all\t\t\t\t%d\t%d\t%d\t%d\t\n", t.refused+t.allowed, t.leaks, t.breaks, t.alters)
	w.Flush() // a strings.Builder takes everything
	return b.String()
}

// maxFaults is how many cells at fault are told of one by one.
const maxFaults = 40

// printFaults tells what is wrong, and how to see it again.
func (o options) printFaults(findings []finding) {
	told := 0
	for _, f := range findings {
		if f.fault == none && (!o.show || o.only == "") {
			continue
		}
		if told++; told > maxFaults {
			continue
		}
		if f.fault != none {
			fmt.Printf("%s: %s\n    %s\n    again: go run ./test/matrix -weir %s -v -only '%s'\n",
				strings.ToUpper(string(f.fault)), f.cell, f.why, o.weir, f.cell)
		}
		if o.show {
			fmt.Printf("  sent: %q\n  got, status %d, %q:\n        %q\n",
				strings.Join(f.cell.frames(), ""), f.answer.status, f.answer.header, f.answer.body)
		}
	}
	if told > maxFaults {
		fmt.Printf("and %d more\n", told-maxFaults)
	}
	if told > 0 {
		fmt.Println()
	}
}
