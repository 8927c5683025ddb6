// Command release makes what goreleaser does not: SPDX documents, signatures, container images, packages for npm and PyPI, a
// Homebrew formula. It also checks what was made. It has a module of its own, so that weir does not depend on what it needs.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

// A command is one step of a release. Its flags are parsed before it runs; args is what is left.
type command struct {
	name, usage, what string
	run               func(flags *flag.FlagSet, args []string) error
}

var commands = []command{
	{"spdx", "BINARY DOCUMENT", "write what a binary contains, by its build info, as SPDX 2.3", runSPDX},
	{"keygen", "PRIVATE PUBLIC", "make a key pair for signatures; set WEIR_SIGNING_PASSWORD to encrypt it", runKeygen},
	{"sign", "FILE...", "write FILE.minisig with the key in WEIR_SIGNING_KEY (and WEIR_SIGNING_PASSWORD)", runSign},
	{"verify", "-key PUBLIC FILE...", "check FILE.minisig", runVerify},
	{"image", "-dist DIST -out IMAGE.tar", "write a container image for linux, amd64 and arm64", runImage},
	{"unpack", "-image IMAGE.tar -platform linux/amd64", "check an image, and write its files to the standard output as tar", runUnpack},
	{"npm", "-dist DIST -out FOLDER", "write the packages for npm", runNPM},
	{"pypi", "-dist DIST -out FOLDER", "write the wheels for PyPI", runPyPI},
	{"formula", "-dist DIST -out weir.rb", "write the Homebrew formula", runFormula},
	{"sums", "FILE...", "print the SHA-256 of files, under their names without folders", runSums},
	{"notes", "-changelog CHANGELOG.md VERSION", "print what changed in a version", runNotes},
	{"check", "-dist DIST", "check binaries, sizes and checksums of a release", runCheck},
	{"size", "BINARY", "print the size of a binary by dependency; it must not be stripped", runSize},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("which step?\n" + usage())
	}
	i := slices.IndexFunc(commands, func(c command) bool { return c.name == args[0] })
	if i < 0 {
		return fmt.Errorf("there is no step %q\n%s", args[0], usage())
	}
	c := commands[i]
	if err := c.run(flag.NewFlagSet(c.name, flag.ContinueOnError), args[1:]); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	return nil
}

func usage() string {
	var text strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&text, "  release %-8s %-40s %s\n", c.name, c.usage, c.what)
	}
	return text.String()
}

// parse parses flags, each of which must be given.
func parse(flags *flag.FlagSet, args []string) ([]string, error) {
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	var missing error
	flags.VisitAll(func(f *flag.Flag) {
		if f.Value.String() == "" && missing == nil {
			missing = fmt.Errorf("give -%s: %s", f.Name, f.Usage)
		}
	})
	return flags.Args(), missing
}
