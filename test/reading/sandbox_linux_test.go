package reading

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// insideVar says that the test binary is a sandbox.
const insideVar = "READING_TEST_SANDBOX"

func TestMain(m *testing.M) {
	if os.Getenv(insideVar) != "" {
		if err := serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// The folders of a sandbox.
const (
	home      = "/home/ana"
	project   = home + "/project"
	stubs     = "/run/stubs"
	logFile   = "/run/log"
	templates = "/run/template"
	realPath  = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
)

// A job is a command that a sandbox runs.
type job struct {
	Shell string // that gets the text by -c
	Text  string
	Real  bool   // nothing is a stub
	Dump  string // the database of which the dump is wanted: a file of SQLite, or postgres
}

// An observation is what happened when a job ran.
type observation struct {
	Executed               []execution // the stubs
	Read, Written, Removed []string    // files and folders below the home folder
	Before, After          string      // the dumps
	Output                 string
	Late                   bool // it was ended after patience
	Error                  string
}

// An execution is one start of a stub.
type execution struct {
	Program string // without its folder
	Folder  string
	Args    []string
}

// observe runs jobs, each in a fresh home folder, in some sandboxes at a time. The variables are for the sandboxes.
func observe(t *testing.T, jobs []job, variables ...string) []observation {
	t.Helper()
	out := make([]observation, len(jobs))
	next := make(chan int)
	var all sync.WaitGroup
	for range max(2, runtime.NumCPU()) {
		s := start(t, variables)
		all.Go(func() {
			for i := range next {
				out[i] = s.run(jobs[i])
			}
		})
	}
	for i := range jobs {
		next <- i
	}
	close(next)
	all.Wait()
	for i, o := range out {
		if o.Error != "" {
			t.Fatalf("%q: %s", jobs[i].Text, o.Error)
		}
	}
	return out
}

// A sandbox is a process that runs jobs. It has no network, and its own home folder, as a file system in memory; all others are
// read-only or out of sight.
type sandbox struct {
	orders  *json.Encoder
	reports *json.Decoder
}

func start(t *testing.T, variables []string) *sandbox {
	t.Helper()
	need.Long(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append([]string{insideVar + "=yes", "PATH=" + realPath}, variables...)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWIPC,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}},
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	reports, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		need.Missing(t, "readers of commands against real programs", "no sandbox can be made: "+err.Error())
	}
	t.Cleanup(func() {
		if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
			t.Error(err)
		}
	})
	return &sandbox{orders: json.NewEncoder(in), reports: json.NewDecoder(reports)}
}

func (s *sandbox) run(j job) (o observation) {
	if err := errors.Join(s.orders.Encode(j), s.reports.Decode(&o)); err != nil {
		o.Error = "the sandbox is gone: " + err.Error()
	}
	return o
}

// serve is the sandbox: it runs jobs until there are no more.
func serve(in io.Reader, out io.Writer) error {
	if err := isolate(); err != nil {
		return fmt.Errorf("make the sandbox: %w", err)
	}
	if err := furnish(); err != nil {
		return fmt.Errorf("furnish the sandbox: %w", err)
	}
	orders, reports := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var j job
		if err := orders.Decode(&j); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		o, err := j.observe()
		if err != nil {
			o.Error = err.Error()
		}
		if err := reports.Encode(o); err != nil {
			return err
		}
	}
}

// isolate makes everything read-only, and puts file systems of its own where the sandbox works. They note each time that a file is read.
func isolate() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	attr := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, attr); err != nil {
		return fmt.Errorf("make all read-only: %w", err)
	}
	sockets, err := os.Open(cmp.Or(os.Getenv(socketsVar), "/")) // it may be in a folder that is about to be hidden
	if err != nil {
		return err
	}
	defer sockets.Close()
	for _, folder := range []string{"/home", "/root", "/tmp", "/run"} {
		if err := unix.Mount("sandbox", folder, "tmpfs", unix.MS_STRICTATIME|unix.MS_NOSUID|unix.MS_NODEV, "mode=755"); err != nil {
			return &os.PathError{Op: "mount", Path: folder, Err: err}
		}
	}
	if err := bindSockets(sockets); err != nil {
		return err
	}
	// A login shell would set another search path.
	if err := unix.Mount("/dev/null", "/etc/profile", "", unix.MS_BIND, ""); err != nil && !errors.Is(err, unix.ENOENT) {
		return &os.PathError{Op: "mount", Path: "/etc/profile", Err: err}
	}
	return nil
}

// stubNames are the programs that do nothing in a sandbox but note how they were started.
var stubNames = []string{
	"rm", "curl", "wget", "nc", "ssh", "scp", "kubectl", "docker", "terraform", "aws", "npm", "shutdown", "mkfs", "chmod", "chown", "gcloud",
}

const stub = `#!/bin/sh
printf '%s\0' "${0##*/}" "$PWD" "$#" "$@" >>` + logFile + "\n"

// fixtures are the files of a home folder.
var fixtures = map[string]string{
	"project/a.txt":        "alpha\n",
	"project/b.txt":        "beta\nbeth\n",
	"project/c d.txt":      "gamma\n",
	"project/notes.md":     "# notes\n",
	"project/main.c":       "int main(void) { return 0; }\n",
	"project/run.sh":       "echo run\n",
	"project/src/one.go":   "package one\n",
	"project/src/two.go":   "package two\n",
	"project/src/deep/x.c": "x\n",
	"project/build/o.bin":  "binary\n",
	"project/old.log":      "old\n",
	".secret/key":          "k\n",
	".netrc":               "machine x\n",
	"notes/todo.txt":       "todo\n",
}

// furnish makes the stubs, and the home folder that each job begins with.
func furnish() error {
	for _, folder := range []string{stubs, templates, home} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
	}
	for _, name := range stubNames {
		if err := os.WriteFile(filepath.Join(stubs, name), []byte(stub), 0o755); err != nil {
			return err
		}
	}
	for name, content := range fixtures {
		path := filepath.Join(templates, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			return err
		}
	}
	const repository = `git init -q -b main . && git config user.name ana && git config user.email ana@localhost && git config gc.auto 0 &&
rm -rf .git/hooks && mkdir .git/hooks && git add . && git commit -qm one && echo more >>b.txt && git commit -qam two &&
echo again >>b.txt && git tag v1 && git branch side`
	const database = `sqlite3 shop.db 'create table users(id integer, name text); insert into users values(1,"a"),(2,"b"),(3,"c");
create table orders(id integer); insert into orders values(7);'`
	for _, text := range []string{repository, database} {
		cmd := exec.Command("/bin/sh", "-c", text)
		cmd.Dir = filepath.Join(templates, "project")
		cmd.Env = environment(true)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	return nil
}

func environment(noStubs bool) []string {
	path := realPath
	if !noStubs {
		path = stubs + ":" + realPath
	}
	return append([]string{
		"HOME=" + home, "PATH=" + path, "LANG=C.UTF-8", "USER=ana", "TERM=dumb",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "FILTER_BRANCH_SQUELCH_WARNING=1",
	}, postgresVariables()...)
}
