package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/app/config"
)

// A weir is the real program, running under the policy of the matrix.
type weir struct {
	cmd *exec.Cmd
	log bytes.Buffer
	url string
	dir string
}

const listening = " is listening on "

// startWeir starts the binary. All upstreams that are built in lead to the one of the matrix.
func startWeir(binary, upstream string) (_ *weir, err error) {
	w := &weir{}
	if w.dir, err = os.MkdirTemp("", "weir-matrix-"); err != nil {
		return nil, fmt.Errorf("create folder: %w", err)
	}
	defer func() {
		if err != nil {
			w.stop()
		}
	}()
	file := filepath.Join(w.dir, "weir.yaml")
	if err := os.WriteFile(file, []byte(w.settings(upstream)), 0o600); err != nil {
		return nil, fmt.Errorf("write configuration: %w", err)
	}
	if err := os.WriteFile(filepath.Join(w.dir, "policy.yaml"), []byte(policy), 0o600); err != nil {
		return nil, fmt.Errorf("write policy: %w", err)
	}
	w.cmd = exec.Command(binary, "serve", "--quiet", "--config", file)
	w.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.dir, "NO_PROXY=*"}
	w.cmd.Stderr = &w.log
	stdout, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start weir: %w", err)
	}
	if err := w.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start weir: %w", err)
	}
	out := bufio.NewReader(stdout)
	line, _ := out.ReadString('\n') // what it lacks tells the error
	_, address, ok := strings.Cut(strings.TrimSpace(line), listening)
	if !ok {
		w.end() // what it says is complete then
		return nil, fmt.Errorf("start weir: it does not say where it listens: %s%s", line, w.log.Bytes())
	}
	go io.Copy(io.Discard, out) //nolint:errcheck // nobody reads the rest
	w.url = address
	return w, nil
}

// settings are the configuration, with every upstream at its own path below one address.
func (w *weir) settings(upstream string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "listen: 127.0.0.1:0\npolicy: policy.yaml\nstore: {url: %q}\nupstreams:\n", "sqlite://"+filepath.Join(w.dir, "weir.db"))
	paths := basePaths()
	for _, name := range slices.Sorted(maps.Keys(paths)) {
		fmt.Fprintf(&b, "  %s: {url: %q}\n", name, upstream+paths[name])
	}
	return b.String()
}

// basePaths are the paths of the addresses of all upstreams.
func basePaths() map[string]string {
	paths := map[string]string{declared: ""}
	for name, u := range config.Default("").Upstreams {
		paths[name] = u.URL.Path
	}
	return paths
}

// stop ends weir and removes what it wrote.
func (w *weir) stop() {
	w.end()
	_ = os.RemoveAll(w.dir)
}

// end ends the process, if there is one.
func (w *weir) end() {
	if w.cmd != nil && w.cmd.Process != nil {
		_ = w.cmd.Process.Kill() // what it recorded is of no use any more
		_ = w.cmd.Wait()
		w.cmd = nil
	}
}
