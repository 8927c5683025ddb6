//go:build !unix

package run

import (
	"os"
	"os/signal"
)

// passSignals prevents that an interrupt ends weir run: the console sends it to the agent, too.
func passSignals(func(os.Signal) error) (release func()) {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, os.Interrupt)
	return func() { signal.Stop(signals) }
}
