package cli

import (
	"context"
	"os"
	"syscall"
	"testing"
)

func TestSecondSignalIsNeverLost(t *testing.T) {
	signals := make(chan os.Signal, 2)
	second := make(chan os.Signal, 1)
	// Both are there before anyone acts on the first.
	signals <- os.Interrupt
	signals <- syscall.SIGTERM
	ctx, stop := endedBy(signals, func(by os.Signal) { second <- by })
	defer stop()
	<-ctx.Done()
	if by := <-second; by != syscall.SIGTERM {
		t.Errorf("the second signal was %v, want SIGTERM", by)
	}
}

func TestStopWithoutSignal(t *testing.T) {
	ctx, stop := endedBy(make(chan os.Signal), func(by os.Signal) { t.Errorf("died by %v", by) })
	if ctx.Err() != nil {
		t.Fatal("ended before any signal")
	}
	stop()
	if ctx.Err() != context.Canceled {
		t.Errorf("after stop the context has %v", ctx.Err())
	}
}
