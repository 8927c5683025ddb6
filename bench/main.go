// Command bench measures weir beside what does the same without it, on the same machine and in the same run: model APIs through
// HTTP beside a bare reverse proxy, and MCP beside a direct connection.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

// options say how much is measured.
type options struct {
	weir   string        // binary; "": built from this module
	dir    string        // where weir's store is kept; "": the system's folder for temporary files
	rounds int           // of each measure with load
	paced  time.Duration // length of a round with paced streams
	calls  int           // per target and number of streams; of MCP more where many are called at once
	firsts int           // responses per target of which the first frame is timed
	idle   int           // idle streams, or sessions; 0: 1000 streams, 500 sessions
	format *format
	door   string // doorModel or doorMCP
}

// The doors that are measured.
const (
	doorModel = "llm"
	doorMCP   = "mcp"
)

// checkDoor says what is wrong with a door and the options that were given with it.
func checkDoor(door string) (err error) {
	switch door {
	case doorModel:
	case doorMCP:
		flag.Visit(func(f *flag.Flag) {
			if f.Name == "format" || f.Name == "paced" || f.Name == "firsts" {
				err = fmt.Errorf("-%s is for -door %s only", f.Name, doorModel)
			}
		})
	default:
		err = fmt.Errorf("-door: %q is not a door; use %s or %s", door, doorModel, doorMCP)
	}
	return err
}

func main() {
	var o options
	var proxyTo, serverOver string
	flag.StringVar(&o.weir, "weir", "", "weir to measure (default: built from this module)")
	flag.StringVar(&o.dir, "dir", "", "folder on the disk that weir's record is to be measured on (default: the system's for temporary files)")
	flag.IntVar(&o.rounds, "rounds", 5, "rounds of each measure with load")
	flag.DurationVar(&o.paced, "paced", time.Second, "length of a round with paced streams")
	flag.IntVar(&o.calls, "calls", 400, "calls per target and number of streams")
	flag.IntVar(&o.firsts, "firsts", 500, "responses per target of which the first frame is timed")
	flag.IntVar(&o.idle, "idle", 0, "idle streams, or MCP sessions, whose memory is measured (default: 1000, or 500)")
	door := flag.String("door", doorModel, "what is measured: llm or mcp")
	name := flag.String("format", "anthropic", "wire format: anthropic, openai-chat or openai-responses")
	flag.StringVar(&proxyTo, "reverse-proxy", "", "be the reverse proxy in front of this URL, and measure nothing")
	flag.StringVar(&serverOver, "mcp-server", "", "be the MCP server that is called, over stdio or http, and measure nothing")
	flag.Parse()
	if o.format = formats[*name]; o.format == nil {
		fmt.Fprintf(os.Stderr, "bench: -format: %q is not a format; use anthropic, openai-chat or openai-responses\n", *name)
		os.Exit(2)
	}
	if err := checkDoor(*door); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
	o.door = *door
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	run := o.run
	switch {
	case proxyTo != "":
		run = func(context.Context) error { return reverseProxy(proxyTo) }
	case serverOver != "":
		run = func(context.Context) error { return serveMCP(serverOver) }
	}
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run measures everything and prints it.
func (o options) run(ctx context.Context) error {
	began := time.Now()
	dir, err := os.MkdirTemp(o.dir, "weir-bench-")
	if err != nil {
		return fmt.Errorf("create folder: %w", err)
	}
	defer os.RemoveAll(dir) // it is temporary
	measure := o.measureModel
	if o.door == doorMCP {
		measure = o.measureMCP
	}
	if err := measure(ctx, dir); err != nil {
		return err
	}
	fmt.Printf("\ntook %s; load at the end: %s\n", time.Since(began).Round(time.Second), load())
	return nil
}

// measureModel measures the door for model APIs and prints it.
func (o options) measureModel(ctx context.Context, dir string) error {
	b, err := newBench(o, dir)
	if err != nil {
		return err
	}
	defer b.close()
	printMachine()
	for _, measure := range []func(context.Context) error{b.throughput, b.firstFrame, b.releasedCall, b.memory} {
		if err := measure(ctx); err != nil {
			return err
		}
	}
	if n := b.proxy.broken.Load(); n > 0 {
		fmt.Printf("\nThe reverse proxy did not give %d responses whole. They are not in the times above.\n", n)
	}
	return b.inexact()
}
