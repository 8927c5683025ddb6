package agents

import (
	"fmt"
	"os"
	"testing"
)

// noTests is the argument ahead of a role. A program that did not know of roles would run no tests by it, since no test has such a
// name. Tests would start agents, and agents this program.
const noTests = "-test.run=-"

// The roles that the program of a suite has besides its tests.
const (
	fileServer = "server" // an MCP server; see serveFiles
	prober     = "probe"  // a program that tries to get out; see probe
)

// Main runs the tests of a suite, unless its program was started in another role.
func Main(m *testing.M) {
	if len(os.Args) < 3 || os.Args[1] != noTests {
		os.Exit(m.Run())
	}
	var err error
	switch os.Args[2] {
	case fileServer:
		err = serveFiles(os.Stdin, os.Stdout)
	case prober:
		err = probe(os.Args[3:])
	default:
		err = fmt.Errorf("%q is no role", os.Args[2])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}
