// Package running is about the weir that runs on this machine: how it is started, how it was started last, and which policy it has.
package running

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/control"
)

// KeyVariable has the key by which weir serve knows the one who runs the shim.
const KeyVariable = "WEIR_KEY"

// logName is what a weir that a shim started says, in the state folder.
const logName = "serve.log"

// start starts a weir that goes on when this process ends, and returns a channel that is closed if it ends before. Without a
// configuration it is started as the last one was. Several may be started at once: all but one find the port taken and end.
func start(stateDir, configFile string) (<-chan struct{}, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("start weir serve: %w", err)
	}
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return nil, fmt.Errorf("start weir serve: %w", err)
	}
	log, err := os.OpenFile(filepath.Join(stateDir, logName), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("start weir serve: %w", err)
	}
	defer log.Close() // the process has its own
	how := StartedAs{Config: configFile}
	if configFile == "" {
		if how, err = LastStart(stateDir); err != nil {
			return nil, err
		}
	}
	if how.Config == "" { // it will go by the one in the configuration folder, or by none
		if _, err := inuse.Config(""); err != nil {
			return nil, fmt.Errorf("start weir serve: %w", err)
		}
	}
	serve := exec.Command(self, how.arguments()...)
	serve.Stdout, serve.Stderr = log, log
	detach(serve)
	if err := serve.Start(); err != nil {
		return nil, fmt.Errorf("start weir serve: %w", err)
	}
	ended := make(chan struct{})
	go func() {
		_ = serve.Wait() // how it ended is in the log
		close(ended)
	}()
	return ended, nil
}

// Client reaches the weir of this machine's state folder, and starts none.
func Client() (*control.Client, error) {
	dir, err := config.StateDir(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	path, err := control.Path(dir)
	if err != nil {
		return nil, err
	}
	return control.NewClient(control.ClientConfig{Path: path, Key: os.Getenv(KeyVariable)}), nil
}

// StartIfNone has a client start a weir where none runs, by a configuration; "": as the last one was started.
func StartIfNone(c *control.ClientConfig, stateDir, configFile string) {
	c.Start = func() (<-chan struct{}, error) { return start(stateDir, configFile) }
	c.Log = filepath.Join(stateDir, logName)
}
