package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// A sample is what was measured, in order of size once sorted.
type sample []time.Duration

func (s sample) sorted() sample { return slices.Sorted(slices.Values(s)) }

// quantile is the value below which this part of the sample is.
func (s sample) quantile(part float64) time.Duration {
	if len(s) == 0 {
		return 0
	}
	return s.sorted()[min(int(part*float64(len(s))), len(s)-1)]
}

func (s sample) minimum() time.Duration { return s.quantile(0) }
func (s sample) median() time.Duration  { return s.quantile(0.5) }

func ratio(a, b time.Duration) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", float64(a)/float64(b))
}

// printMachine says where and with what was measured.
func printMachine() {
	fmt.Printf("%s/%s, %d cores (%s), %s; load at the start: %s\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), processor(), runtime.Version(), load())
}

// A table prints rows in columns.
type table struct{ w *tabwriter.Writer }

func newTable(title string, columns ...string) table {
	fmt.Printf("\n%s\n", title)
	t := table{tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', 0)}
	t.row(columns...)
	return t
}

func (t table) row(cells ...string) { fmt.Fprintln(t.w, "  "+strings.Join(cells, "\t")) }

func (t table) end() error { return t.w.Flush() }

func micros(d time.Duration) string {
	return fmt.Sprintf("%.2f µs", float64(d)/float64(time.Microsecond))
}

func millis(d time.Duration) string {
	return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
}
