package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/weir-gate/weir/internal/app/cli/exit"
)

// interruptible gives a context that the first SIGINT or SIGTERM ends, so that weir can finish in good order. A second
// one ends the process at once, as it would any program.
func interruptible() (context.Context, context.CancelFunc) {
	// With room for both signals, a second that arrives while the first is acted on is not lost.
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ctx, stop := endedBy(signals, die)
	return ctx, func() {
		signal.Stop(signals)
		stop()
	}
}

// endedBy gives a context that ends with the first of the signals. The second is passed to again.
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

// die ends the process by the signal itself, so that a shell or a supervisor sees what ended it.
func die(by os.Signal) {
	signal.Reset(by)
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Signal(by)
	}
	// Where a process cannot signal itself.
	os.Exit(exit.Failed)
}
