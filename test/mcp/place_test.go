package mcp

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// A place is where programs run: this machine, or a network of its own inside it. Some servers listen on every interface there
// is, and whoever shares the network could reach them.
type place struct {
	keeper int // the process that keeps the network; 0: there is none
}

// here is the machine itself.
func here() place { return place{} }

// apart makes a network with nothing but a loopback interface, until the test ends. Every port in it is free.
func apart(t *testing.T) place {
	t.Helper()
	const what = "MCP servers that listen on all interfaces"
	for _, name := range []string{"unshare", "nsenter", "ip"} {
		if _, err := exec.LookPath(name); err != nil {
			need.Missing(t, what, name+" is not installed")
		}
	}
	// Also without rights of its own a user may be root of a namespace. It lives as long as cat reads.
	cmd := exec.Command("unshare", "--map-root-user", "--net", "sh", "-c", "ip link set lo up && echo up && exec cat")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if said := startReader(t, cmd); said != "up\n" {
		need.Missing(t, what, "a network namespace cannot be made: "+stderr.String())
	}
	return place{keeper: cmd.Process.Pid}
}

// startReader starts a program that ends when its input does, which is when the test ends, and returns the first line that it prints.
func startReader(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close() // it ends one way or the other
		_ = cmd.Wait()    // it has nothing to say
	})
	line, _ := bufio.NewReader(stdout).ReadString('\n') // what it lacks shows the caller
	return line
}

// command is a program that will run in the place.
func (p place) command(name string, args ...string) *exec.Cmd {
	if p.keeper != 0 {
		args = append([]string{"--target", strconv.Itoa(p.keeper), "--user", "--net", "--preserve-credentials", "--", name}, args...)
		name = "nsenter"
	}
	return exec.Command(name, args...)
}

// patience is how long anything here may take before the test gives up.
const patience = 30 * time.Second

// awaitPort waits until something listens on a port of the network of a process.
func awaitPort(t *testing.T, pid int, port string, ended <-chan struct{}) {
	t.Helper()
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	// What the kernel says of a socket: its number, its address in hex, that of the other end, and 0A if it listens.
	listening := fmt.Sprintf(":%04X ", number)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for giveUp := time.After(patience); ; {
		for _, file := range []string{"tcp", "tcp6"} {
			table, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, file))
			if err != nil {
				continue
			}
			for line := range strings.Lines(string(table)) {
				if fields := strings.Fields(line); len(fields) > 3 && fields[3] == "0A" && strings.HasSuffix(fields[1]+" ", listening) {
					return
				}
			}
		}
		select {
		case <-tick.C:
		case <-ended:
			t.Fatal("the server ended before it listened")
		case <-giveUp:
			t.Fatalf("nothing listens on port %s", port)
		}
	}
}
