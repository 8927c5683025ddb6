// Command weir is a firewall for the tool calls of AI agents.
package main

import (
	"os"

	"github.com/weir-gate/weir/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
