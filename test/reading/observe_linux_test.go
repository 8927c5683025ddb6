package reading

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// patience is how long a job may take.
const patience = 10 * time.Second

// never is when the files of a job were read last before it began.
var never = time.Unix(1_000_000_000, 0)

// observe runs the job in a new home folder.
func (j job) observe() (o observation, err error) {
	if err := renew(); err != nil {
		return o, err
	}
	if j.Dump == postgres {
		if err := renewPostgres(); err != nil {
			return o, err
		}
	}
	before, err := list(home)
	if err != nil {
		return o, err
	}
	if o.Before, err = j.dump(); err != nil {
		return o, err
	}
	if o.Output, o.Late, err = j.run(); err != nil {
		return o, err
	}
	after, err := list(home)
	if err != nil {
		return o, err
	}
	if o.After, err = j.dump(); err != nil {
		return o, err
	}
	for _, path := range slices.Sorted(maps.Keys(before)) {
		was, is := before[path], after[path]
		switch {
		case is == nil:
			o.Removed = append(o.Removed, path)
		case is.content != was.content:
			o.Written = append(o.Written, path)
		}
		if is != nil && is.inode == was.inode && is.read && j.Dump == "" {
			o.Read = append(o.Read, path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		if before[path] == nil {
			o.Written = append(o.Written, path)
		}
	}
	o.Executed, err = executions()
	return o, err
}

// renew makes the home folder as it was, and forgets what ran.
func renew() error {
	entries, err := os.ReadDir("/home")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join("/home", e.Name())); err != nil {
			return err
		}
	}
	if err := os.CopyFS(home, os.DirFS(templates)); err != nil {
		return err
	}
	if err := os.WriteFile(logFile, nil, 0o666); err != nil {
		return err
	}
	return filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(path, never, time.Time{})
	})
}

// run runs the job, and everything that it starts, to its end.
func (j job) run() (output string, late bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, j.Shell, "-c", j.Text)
	cmd.Dir, cmd.Env = project, environment(j.Real)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	// Everything that is started holds this pipe: its end says that nothing runs any more.
	alive, held, err := os.Pipe()
	if err != nil {
		return "", false, err
	}
	defer alive.Close()
	cmd.ExtraFiles = []*os.File{held}
	err = cmd.Start()
	held.Close()
	if err != nil {
		return "", false, err
	}
	if err = cmd.Wait(); errors.Is(err, exec.ErrWaitDelay) || errors.As(err, new(*exec.ExitError)) {
		err = nil // how it ended does not matter
	}
	if deadline := alive.SetReadDeadline(time.Now().Add(patience)); deadline != nil {
		return "", false, deadline
	}
	_, rest := io.Copy(io.Discard, alive)
	text := out.String()
	return text[:min(len(text), 2000)], ctx.Err() != nil || rest != nil, err
}

// An entry is a file or a folder.
type entry struct {
	content string // or what it is, if it is no file
	inode   uint64
	read    bool // since never
}

// list returns all that is below a folder, except what git has for itself.
func list(folder string) (map[string]*entry, error) {
	out := map[string]*entry{}
	return out, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		info, err := os.Lstat(path)
		if err != nil {
			return err
		}
		stat := info.Sys().(*syscall.Stat_t)
		e := &entry{content: info.Mode().String(), inode: stat.Ino}
		out[path] = e
		switch {
		case info.Mode().IsRegular():
			e.read = stat.Atim.Sec != never.Unix()
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			e.content += fmt.Sprintf("%x", sha256.Sum256(data))
			if !e.read {
				return os.Chtimes(path, never, time.Time{})
			}
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			e.content += to
			return err
		}
		return nil
	})
}

// dump prints a database.
func (j job) dump() (string, error) {
	switch j.Dump {
	case "":
		return "", nil
	case postgres:
		return dumpPostgres()
	}
	if _, err := os.Stat(filepath.Join(project, j.Dump)); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	cmd := exec.Command("/usr/bin/sqlite3", j.Dump, ".dump")
	cmd.Dir = project
	out, err := cmd.Output()
	return string(out), err
}

// executions reads what the stubs noted.
func executions() (list []execution, err error) {
	text, err := os.ReadFile(logFile)
	if err != nil {
		return nil, err
	}
	fields := strings.Split(string(text), "\x00")
	for fields = fields[:len(fields)-1]; len(fields) >= 3; {
		n, err := strconv.Atoi(fields[2])
		if err != nil || len(fields) < 3+n {
			return nil, fmt.Errorf("the log is broken: %q", text)
		}
		list = append(list, execution{fields[0], fields[1], fields[3 : 3+n]})
		fields = fields[3+n:]
	}
	return list, nil
}
