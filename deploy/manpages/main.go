// Command manpages writes what a package of weir has beside the program: a manual page for each command, and the completions of
// shells. They are made from the commands themselves, when a release is built; weir does not contain this code.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli"
)

func main() {
	out := flag.String("out", "", "folder to write to; it gets man/ and completions/")
	version := flag.String("version", "", "version to print in the pages")
	date := flag.String("date", "", "date to print in the pages, such as 2026-11-18")
	flag.Parse()
	if err := write(*out, *version, *date); err != nil {
		fmt.Fprintln(os.Stderr, "manpages:", err)
		os.Exit(1)
	}
}

func write(out, version, date string) error {
	if out == "" || version == "" || flag.NArg() > 0 {
		return fmt.Errorf("write: manpages -out FOLDER -version VERSION -date DATE")
	}
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return fmt.Errorf("-date %q is not a date; write it as 2026-11-18, so that two builds are equal", date)
	}
	root := cli.Root()
	all := completions(root)
	for name, page := range pages(root, version, date) {
		all[filepath.Join("man", name)] = page
	}
	for name, text := range all {
		path := filepath.Join(out, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// pages returns the manual pages of a command and all below it, by the names of their files.
func pages(cmd *cobra.Command, version, date string) map[string][]byte {
	all := map[string][]byte{}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Hidden {
			return
		}
		all[pageName(cmd)+".1"] = page(cmd, version, date)
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(cmd)
	return all
}

// completions returns the scripts that make shells complete the commands, under the names that packages install.
func completions(root *cobra.Command) map[string][]byte {
	var bash, zsh, fish bytes.Buffer
	// Writing to a buffer does not fail.
	_ = root.GenBashCompletionV2(&bash, true)
	_ = root.GenZshCompletion(&zsh)
	_ = root.GenFishCompletion(&fish, true)
	return map[string][]byte{
		"completions/weir.bash": bash.Bytes(), "completions/_weir": zsh.Bytes(), "completions/weir.fish": fish.Bytes(),
	}
}
