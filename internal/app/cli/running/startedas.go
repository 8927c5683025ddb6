package running

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
)

// StartedAs says how a weir was started. If none runs, a shim can then start the same weir again, and not one with another policy.
type StartedAs struct {
	Config string `json:"config,omitzero"` // absolute paths
	Policy string `json:"policy,omitzero"`
	Listen string `json:"listen,omitzero"`
}

// startFile is the file with this, in the state folder.
const startFile = "serve.json"

// arguments returns the arguments of weir.
func (s StartedAs) arguments() []string {
	args := []string{"serve"}
	for _, flag := range [][2]string{{"--config", s.Config}, {"--policy", s.Policy}, {"--listen", s.Listen}} {
		if flag[1] != "" {
			args = append(args, flag[0], flag[1])
		}
	}
	return args
}

// Remember stores it in the state folder.
func (s StartedAs) Remember(stateDir string) error {
	for _, path := range []*string{&s.Config, &s.Policy} {
		if *path == "" {
			continue
		}
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = absolute
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return err
	}
	whole := filepath.Join(stateDir, startFile)
	if err := os.WriteFile(whole+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(whole+".new", whole)
}

// LastStart returns how weir was started last; zero if it never was.
func LastStart(stateDir string) (s StartedAs, err error) {
	path := filepath.Join(stateDir, startFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return StartedAs{}, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return StartedAs{}, fmt.Errorf("read how weir was started last: %w; start weir serve yourself, or remove %s", err, path)
	}
	return s, nil
}
