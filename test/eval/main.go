// Command eval judges sets of everyday calls and attacks by the presets that come with weir, and prints how many of each are decided
// wrongly.
//
// The sets were written by people who did not know the presets. Presets may be tuned on sets whose name ends in -a. The others are held
// apart: of them only the numbers are printed.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
)

func main() {
	folder := flag.String("sets", "test/eval/sets", "the folder with the sets")
	presets := flag.String("presets", "balanced,tight", "presets, or files of policies")
	misses := flag.Bool("misses", true, "print the calls of the -a sets that are decided wrongly")
	every := flag.Bool("every", false, "print the other calls of the -a sets, too")
	flag.Parse()
	if err := run(os.Stdout, *folder, strings.Split(*presets, ","), *misses, *every); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer, folder string, presets []string, misses, every bool) error {
	samples, err := load(folder)
	if err != nil {
		return err
	}
	for _, name := range presets {
		results, err := evaluate(name, samples)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "\n%s\n\n", strings.ToUpper(name))
		if misses || every {
			printCalls(w, results, every)
		}
		printRates(w, results)
	}
	return nil
}

// printCalls prints the wrong decisions on the sets for tuning, or every decision.
func printCalls(w io.Writer, results []result, every bool) {
	for _, r := range results {
		if (every || r.missed()) && strings.HasSuffix(r.set, "-a") {
			fmt.Fprintf(w, "%s/%s%s: %s by %s: %s\n", r.set, r.group, r.note(), r.outcome, r.rule, r)
		}
	}
	fmt.Fprintln(w)
}

// note says what is special about the call.
func (r result) note() string {
	switch {
	case r.Disputed:
		return " (disputed)"
	case r.Want != "":
		return " (want " + r.Want + ")"
	default:
		return ""
	}
}

// printRates prints a table of the sets and their groups.
func printRates(w io.Writer, results []result) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "set\tgroup\tcalls\tpass\tasked\trefused\twrong\tundisputed wrong")
	for _, set := range names(results, func(r result) string { return r.set }) {
		of := slices.DeleteFunc(slices.Clone(results), func(r result) bool { return r.set != set })
		for _, group := range names(of, func(r result) string { return r.group }) {
			printRow(t, set, group, slices.DeleteFunc(slices.Clone(of), func(r result) bool { return r.group != group }))
		}
		printRow(t, set, "ALL", of)
	}
	t.Flush()
}

func printRow(w io.Writer, set, group string, of []result) {
	count := func(is func(result) bool) (n int) {
		for _, r := range of {
			if is(r) {
				n++
			}
		}
		return n
	}
	wrong := count(result.missed)
	plainly := count(func(r result) bool { return r.missed() && !r.Disputed })
	fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d (%.1f %%)\t%d\n", set, group, len(of),
		count(func(r result) bool { return r.outcome == passed }), count(func(r result) bool { return r.outcome == asked }),
		count(func(r result) bool { return r.outcome == refused }), wrong, 100*float64(wrong)/float64(len(of)), plainly)
}

// names are the values of a field, in the order of their appearance.
func names(results []result, field func(result) string) (out []string) {
	for _, r := range results {
		if name := field(r); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
