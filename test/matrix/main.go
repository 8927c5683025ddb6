// Command matrix proves that no endpoint, framing, encoding or chunking escapes the policy: it plays one exchange through
// the real weir for each of thousands of combinations.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"
)

// options say which cells are played, and what is told of them.
type options struct {
	weir   string // binary
	out    string // where the page is written; "": nowhere
	only   string // part of the names of the cells to play; "": all
	sample int    // how many cells to play; 0: all
	show   bool   // the bytes of cells at fault, or of those that only names
}

func main() {
	var o options
	flag.StringVar(&o.weir, "weir", "bin/weir", "weir to play the cells through")
	flag.StringVar(&o.out, "out", "", "write the page to this file if all cells were played")
	flag.StringVar(&o.only, "only", "", "play only cells whose names have this in them")
	flag.IntVar(&o.sample, "sample", 0, "play only so many cells, evenly spread (default: all)")
	flag.BoolVar(&o.show, "v", false, "show the bytes of cells at fault; with -only, of all that were played")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "matrix:", err)
		os.Exit(1)
	}
}

// run plays the cells and prints what came of them.
func (o options) run(ctx context.Context) error {
	all := plan()
	cells := o.choose(all)
	if len(cells) == 0 {
		return fmt.Errorf("no cell has %q in its name", o.only)
	}
	began := time.Now()
	up, err := startUpstream(all)
	if err != nil {
		return err
	}
	defer up.close()
	dir, err := os.MkdirTemp("", "weir-matrix-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is temporary
	w, err := startWeir(dir, o.weir, up.url)
	if err != nil {
		return err
	}
	defer w.Kill() // what it recorded is of no use any more
	findings := run(ctx, cells, w.Base)
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	sum := summed(findings)
	o.printFaults(findings)
	fmt.Print(sum.table())
	fmt.Printf("\n%d cells in %s\n", len(cells), time.Since(began).Round(100*time.Millisecond))
	if o.out != "" && len(cells) == len(all) {
		if err := os.WriteFile(o.out, []byte(page(sum)), 0o644); err != nil {
			return fmt.Errorf("write the page: %w", err)
		}
	}
	if n := sum.faults(); n > 0 {
		return fmt.Errorf("%d of %d cells are at fault", n, len(cells))
	}
	return nil
}

// choose picks the cells to play.
func (o options) choose(all []*cell) []*cell {
	var cells []*cell
	for _, c := range all {
		if strings.Contains(c.String(), o.only) {
			cells = append(cells, c)
		}
	}
	if o.sample <= 0 || o.sample >= len(cells) {
		return cells
	}
	spread := make([]*cell, o.sample)
	for i := range spread {
		spread[i] = cells[i*len(cells)/o.sample]
	}
	return spread
}
