package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/weir-gate/weir/internal/app/cli/exit"
)

// interruptible returns a context that the first SIGINT or SIGTERM ends, so that weir can shut down in order. A second signal ends
// the process at once, as in any program.
func interruptible() (context.Context, context.CancelFunc) {
	// The channel has room for both signals, so that a second signal is not lost while the first is handled.
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ctx, stop := endedBy(signals, die)
	return ctx, func() {
		signal.Stop(signals)
		stop()
	}
}

// endedBy returns a context that the first signal ends. It calls again with the second signal.
func endedBy(signals <-chan os.Signal, again func(os.Signal)) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		select {
		case <-signals:
			cancel()
		case <-done:
			return
		}
		select {
		case second := <-signals:
			again(second)
		case <-done:
		}
	}()
	return ctx, func() {
		cancel()
		close(done)
	}
}

// die ends the process with the signal itself, so that a shell or a supervisor sees what ended it.
func die(by os.Signal) {
	signal.Reset(by)
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Signal(by)
	}
	// For systems on which a process cannot signal itself.
	os.Exit(exit.Failed)
}
