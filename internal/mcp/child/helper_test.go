//go:build unix

package child_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/mcp/child"
)

// helperVariable makes the test binary one of the helpers.
const helperVariable = "CHILD_TEST_HELPER"

// helpers are what the test binary can be as a child.
var helpers = map[string]func(args []string){
	// echo returns every line.
	"echo": func([]string) {
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			fmt.Println("echo " + in.Text())
		}
	},
	// exit returns a code after some words.
	"exit": func(args []string) {
		code, _ := strconv.Atoi(args[0])
		fmt.Print("last words")
		os.Exit(code)
	},
	"environ": func([]string) { fmt.Println(strings.Join(os.Environ(), "\n")) },
	"dir": func([]string) {
		dir, _ := os.Getwd()
		fmt.Println(dir)
	},
	// stubborn minds neither the end of its input nor being told to end.
	"stubborn": func([]string) {
		signal.Ignore(syscall.SIGTERM)
		fmt.Println(os.Getpid())
		sayReady()
		time.Sleep(time.Minute)
	},
	// polite does not mind the end of its input, and ends when it is told to.
	"polite": func([]string) {
		told := make(chan os.Signal, 1)
		signal.Notify(told, syscall.SIGTERM, syscall.SIGUSR1)
		fmt.Println(os.Getpid())
		s := <-told
		fmt.Println(s)
		os.Exit(7)
	},
	// suicide is killed by a signal.
	"suicide": func([]string) {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Minute)
	},
	// parent leaves a helper behind that holds its output, and prints its process id when that is ready.
	"parent": func(args []string) {
		ready, says, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		cmd := exec.Command(os.Args[0], args[1:]...)
		cmd.Env = append(os.Environ(), helperVariable+"="+args[0], readyVariable+"=3")
		cmd.ExtraFiles = []*os.File{says}
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: args[0] == "escaped"}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		_ = says.Close()
		_, _ = ready.Read(make([]byte, 1))
		fmt.Println(cmd.Process.Pid)
	},
	// idle ends when it is told to.
	"idle": func([]string) {
		sayReady()
		time.Sleep(time.Minute)
	},
	// escaped is in a session of its own, where no signal to the group reaches it.
	"escaped": func([]string) {
		sayReady()
		time.Sleep(time.Minute)
	},
	// flood says a lot beside the protocol.
	"flood": func([]string) {
		_, _ = io.CopyN(os.Stderr, endless{}, 8<<20)
		fmt.Println("done")
	},
	// deaf never reads.
	"deaf": func([]string) {
		fmt.Println("ready")
		time.Sleep(time.Minute)
	},
	// weir runs a stubborn child, prints its process id and waits, as weir does.
	"weir": func([]string) {
		p, err := child.Start(helper("stubborn"))
		if err != nil {
			panic(err)
		}
		_, _ = io.Copy(os.Stdout, p.Stdout)
	},
}

// readyVariable tells a helper where it is to say that it is ready.
const readyVariable = "CHILD_TEST_READY"

// sayReady says to the helper's parent that it is ready, if that wants to know.
func sayReady() {
	if fd, err := strconv.Atoi(os.Getenv(readyVariable)); err == nil {
		_ = os.NewFile(uintptr(fd), "ready").Close()
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestMain(m *testing.M) {
	if run := helpers[os.Getenv(helperVariable)]; run != nil {
		run(os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// helper returns how to run a helper. The race detector would have it wait for a second before it ends.
func helper(name string, args ...string) child.Config {
	return child.Config{
		Path: os.Args[0], Args: args, Grace: 200 * time.Millisecond,
		Env: append(os.Environ(), helperVariable+"="+name, "GORACE=atexit_sleep_ms=0"),
	}
}
