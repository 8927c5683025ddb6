// Package running finds and starts the weir of this machine. It knows how weir was started last, and which policy it has.
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

// KeyVariable is the variable with the key of the user who runs the shim.
const KeyVariable = "WEIR_KEY"

// logName is the log of a weir that a shim started, in the state folder.
const logName = "serve.log"

// start starts a weir that outlives this process, and returns a channel that is closed if that weir ends. Without a configuration
// it is started the way the last one was. Several may be started at once: all but one find the port in use and end.
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
	if how.Config == "" { // it will use the one in the configuration folder, or none
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

// Client returns a client of the weir of this machine's state folder. It starts none.
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

// StartIfNone makes a client start a weir if none runs, with this configuration; "": the way the last one was started.
func StartIfNone(c *control.ClientConfig, stateDir, configFile string) {
	c.Start = func() (<-chan struct{}, error) { return start(stateDir, configFile) }
	c.Log = filepath.Join(stateDir, logName)
}
