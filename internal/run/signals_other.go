//go:build !unix

package run

import (
	"os"
	"os/signal"
)

// passSignals keeps weir run from ending at an interrupt: the console sends it to the agent, too.
func passSignals(func(os.Signal) error) (release func()) {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, os.Interrupt)
	return func() { signal.Stop(signals) }
}
