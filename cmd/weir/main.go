// Command weir is a firewall for the tool calls of AI agents.
package main

import (
	"os"

	"github.com/weir-gate/weir/internal/app/cli"
	"github.com/weir-gate/weir/internal/run/confine"
)

func main() {
	if confine.Inside() {
		confine.Main() // a program that weir run confines is started from here
	}
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
