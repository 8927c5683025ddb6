package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// New returns weir as a service of this machine. The error says what to use where there is no manager of services.
func New(s Spec) (*Service, error) {
	p, err := planFor(runtime.GOOS, s)
	if err != nil {
		return nil, err
	}
	return &Service{plan: p, run: runCommand}, nil
}

func planFor(system string, s Spec) (plan, error) {
	switch system {
	case "linux":
		if _, err := exec.LookPath("systemctl"); err != nil {
			return plan{}, errors.New("there is no systemd here, and no other manager of services is known for Linux; " +
				"have your own one run weir serve")
		}
		configHome, err := os.UserConfigDir()
		if err != nil && !s.System {
			return plan{}, fmt.Errorf("find the folder for services: %w", err)
		}
		return systemdPlan(s, configHome), nil
	case "darwin":
		home, err := os.UserHomeDir()
		if err != nil && !s.System {
			return plan{}, fmt.Errorf("find the folder for services: %w", err)
		}
		return launchdPlan(s, home, os.Getuid()), nil
	case "windows":
		folder, err := os.UserConfigDir()
		if err != nil {
			return plan{}, fmt.Errorf("find the folder for services: %w", err)
		}
		return taskPlan(s, filepath.Join(folder, Name)), nil
	}
	return plan{}, fmt.Errorf("weir cannot be installed as a service on %s; have its manager of services run weir serve", system)
}

// commandWithin is how long a manager may take: a weir that stops lets open responses end first.
const commandWithin = 2 * time.Minute

func runCommand(ctx context.Context, c command) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, commandWithin)
	defer cancel()
	said, err := exec.CommandContext(ctx, c[0], c[1:]...).CombinedOutput()
	return string(said), err
}
