package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// measureMCP measures the doors for MCP and prints it.
func (o options) measureMCP(ctx context.Context, dir string) error {
	b, err := newMCPBench(ctx, o, dir)
	if err != nil {
		return err
	}
	defer b.close()
	printMachine()
	fmt.Println("Through weir every call is judged and recorded before it goes on to the server, " +
		"and every result is scanned before it goes back.\n" +
		"The record is on disk by then, except with before_release: false. An answer that is not the server's, byte for byte, ends the run.")
	for _, measure := range []func(context.Context) error{b.latency, b.memory} {
		if err := measure(ctx); err != nil {
			return err
		}
	}
	for _, t := range b.http {
		if n := t.broken.Load(); n > 0 {
			fmt.Printf("\nThe %s did not give %d answers whole. They are not in the times above.\n", t.name, n)
		}
	}
	return nil
}

// A mcpLoad is questions that are asked over and over by so many at once.
type mcpLoad struct {
	title    string
	question question
	atOnce   int
	asked    int // in all rounds, of each target
}

// latency measures how long answers take, and how many come in a second.
func (b *mcpBench) latency(ctx context.Context) error {
	for _, over := range []struct {
		name    string
		targets []*mcpTarget
	}{{"stdio, direct child beside weir mcp wrap", b.stdio}, {"HTTP, direct beside the gateway", b.http}} {
		for _, load := range []mcpLoad{
			{"tools/call, one at a time", callEcho, 1, b.calls},
			{"tools/call, 32 at once", callEcho, 32, 8 * b.calls},
			{"tools/call with a result of 64 KiB, one at a time", callForPage(), 1, b.calls},
			{"tools/call with a result of 64 KiB, 32 at once", callForPage(), 32, 4 * b.calls},
			{fmt.Sprintf("tools/list with %d tools, one at a time", mcpTools), listTools(), 1, b.calls / 2},
		} {
			load.title = over.name + ": " + load.title
			if err := b.compare(ctx, over.targets, load); err != nil {
				return err
			}
		}
	}
	return nil
}

// asked is what came of asking.
type asked struct {
	times     sample
	took      time.Duration // all of them, from the first question to the last answer
	processor time.Duration // that the processes in between used meanwhile
}

func (a asked) perSecond() float64 { return float64(len(a.times)) / a.took.Seconds() }

// add adds what another round gave.
func (a *asked) add(b asked) {
	a.times = append(a.times, b.times...)
	a.took += b.took
	a.processor += b.processor
}

// compare asks the targets in turn and prints what they took.
func (b *mcpBench) compare(ctx context.Context, targets []*mcpTarget, load mcpLoad) error {
	each := max(1, load.asked/b.rounds/load.atOnce)
	all := make([]asked, len(targets))
	for round := range b.rounds + 1 {
		for i := range targets {
			n := (round + i) % len(targets) // each is first as often as the others
			got, err := askAll(ctx, targets[n], load, each)
			if err != nil {
				return err
			}
			if round == 0 {
				continue // connections and buffers are made in it
			}
			all[n].add(got)
		}
	}
	return printAsked(load.title, targets, all)
}

// printAsked prints what the targets took beside the first of them.
func printAsked(title string, targets []*mcpTarget, all []asked) error {
	out := newTable(title, "", "median", "p99", "added median", "added p99", "× median", "× p99", "per second", "× per second",
		"processor each")
	median, worst := all[0].times.median(), all[0].times.quantile(0.99)
	for i, t := range targets {
		a := all[i]
		processor := "-"
		if len(t.between) > 0 {
			processor = micros(a.processor / time.Duration(max(1, len(a.times))))
		}
		m, w := a.times.median(), a.times.quantile(0.99)
		out.row(t.name, millis(m), millis(w), millis(m-median), millis(w-worst), ratio(m, median), ratio(w, worst),
			fmt.Sprintf("%.0f", a.perSecond()), fmt.Sprintf("%.3f", a.perSecond()/all[0].perSecond()), processor)
	}
	return out.end()
}

// askAll has so many ask at once, each that often.
func askAll(ctx context.Context, t *mcpTarget, load mcpLoad, each int) (got asked, err error) {
	before, err := t.processor()
	if err != nil {
		return got, err
	}
	began := time.Now()
	got.times, err = t.timed(load.atOnce, each, func(int, int) (time.Duration, error) { return t.ask(ctx, load.question) })
	got.took = time.Since(began)
	after, failed := t.processor()
	got.processor = after - before
	return got, errors.Join(err, failed)
}
