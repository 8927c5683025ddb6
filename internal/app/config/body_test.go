package config

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBodies(t *testing.T) {
	standard := Bodies{Retention: 30 * 24 * time.Hour, MaxSize: 500_000_000, MaxBody: 1 << 20}
	with := func(edit func(*Bodies)) Bodies {
		b := standard
		edit(&b)
		return b
	}
	for text, want := range map[string]Bodies{
		"listen: localhost:1":                                   standard,
		"bodies: {store: true}":                                 with(func(b *Bodies) { b.Store = true }),
		"bodies: {retention: 1d}":                               with(func(b *Bodies) { b.Retention = 24 * time.Hour }),
		"bodies: {retention: 90m, max_size: 1GiB}":              with(func(b *Bodies) { b.Retention, b.MaxSize = 90*time.Minute, 1<<30 }),
		"bodies: {retention: '${AGE}'}":                         with(func(b *Bodies) { b.Retention = 3 * 24 * time.Hour }),
		"proxy: {mode: embedded}":                               standard,
		"proxy: {mode: disabled}":                               standard,
		"proxy: {mode: mcp-only}":                               with(func(b *Bodies) { b.Store = true }),
		"bodies: {max_body: 2KiB}\nproxy: {mode: mcp-only}":     with(func(b *Bodies) { b.Store, b.MaxBody = true, 2<<10 }),
		"proxy: {mode: mcp-only}\nbodies: {store: false}":       standard,
		"proxy: {}\nbodies: {max_size: 64MiB, max_body: 64MiB}": with(func(b *Bodies) { b.MaxSize, b.MaxBody = 64<<20, 64<<20 }),
	} {
		cfg, err := Parse("weir.yaml", []byte(text), environment("AGE", "3d"))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, cfg.Bodies); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestBodyProblems(t *testing.T) {
	const age = "this is not a time from a minute to a hundred years; write a whole number with a unit, such as 30d or 12h"
	for text, want := range map[string]string{
		"proxy: {mode: off}":                       `:1:15: proxy.mode: "off" is not a mode; use embedded, mcp-only or disabled`,
		"proxy: {mode: mcp_only}":                  `:1:15: proxy.mode: "mcp_only" is not a mode; use embedded, mcp-only or disabled`,
		"proxy: disabled":                          ":1:8: proxy: expected a mapping, found a string",
		"proxy: {mod: x}":                          ":1:9: proxy.mod: unknown key; did you mean mode?",
		"bodies: true":                             ":1:9: bodies: expected a mapping, found true or false",
		"bodies: {stor: true}":                     ":1:10: bodies.stor: unknown key; did you mean store?",
		"bodies: {retention: 0d}":                  ":1:21: bodies.retention: " + age,
		"bodies: {retention: 30s}":                 ":1:21: bodies.retention: " + age,
		"bodies: {retention: 1.5d}":                ":1:21: bodies.retention: " + age,
		"bodies: {retention: 99999999d}":           ":1:21: bodies.retention: " + age,
		"bodies: {retention: -3d}":                 ":1:21: bodies.retention: " + age,
		"bodies: {retention: 30}":                  ":1:21: bodies.retention: a time needs a unit; write a whole number with a unit, such as 30d or 12h",
		"bodies: {max_size: 500}":                  ":1:20: bodies.max_size: a size needs a unit; write a whole number with a unit, such as 16MiB",
		"bodies: {max_body: 10B}":                  ":1:20: bodies.max_body: max_body is 10B; choose from 1KiB to 64MiB",
		"bodies: {max_body: 1GiB, max_size: 2GiB}": ":1:20: bodies.max_body: max_body is 1GiB; choose from 1KiB to 64MiB",
		"bodies: {max_size: 500KB}":                ":1:20: bodies.max_size: max_body (1MiB) is more than max_size (500000B); lower the one or raise the other",
	} {
		_, err := Parse("weir.yaml", []byte(text), environment())
		if err == nil || !strings.HasPrefix(strings.ReplaceAll(err.Error(), "weir.yaml:", ":"), want) {
			t.Errorf("%s:\ngot  %v\nwant %s", text, err, want)
		}
	}
}
