// Command postgres runs the PostgreSQL server that the tests of several packages share. It prints the server's URL, and ends
// with its input.
package main

import (
	"fmt"
	"os"

	"github.com/weir-gate/weir/internal/record/store/postgrestest"
)

func main() {
	if err := postgrestest.Lend(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "postgres:", err)
		os.Exit(1)
	}
}
