package agents

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/app/control"
)

// socket is where weir answers its own commands.
func (u *user) socket(t testing.TB) string {
	t.Helper()
	path, err := control.Path(place{home: u.weir.Home}.state())
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// endStarted ends in order the weir that weir run started, if it runs.
func (u *user) endStarted(t testing.TB) {
	t.Helper()
	client := control.NewClient(control.ClientConfig{Path: u.socket(t)})
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	hello, err := client.Hello(ctx)
	if err != nil {
		return // none answers
	}
	process, err := os.FindProcess(hello.PID)
	if err == nil {
		err = process.Signal(syscall.SIGTERM)
	}
	if err != nil {
		t.Errorf("end the weir that weir run started: %v", err)
		return
	}
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for !isGone(process) {
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Errorf("the weir that weir run started does not stop")
			return
		}
	}
	if t.Failed() {
		log, _ := os.ReadFile(filepath.Join(place{home: u.weir.Home}.state(), "serve.log")) // there may be none
		t.Logf("weir's log:\n%s", log)
	}
}

// isGone says whether a process that is nobody's here has ended. Where nobody asks how, it stays as a zombie.
func isGone(p *os.Process) bool {
	if p.Signal(syscall.Signal(0)) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid))
	return err == nil && bytes.Contains(stat, []byte(") Z "))
}
