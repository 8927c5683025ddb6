package cli

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"database/sql"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/weir-gate/weir/internal/record/kept/kepttest"
	_ "modernc.org/sqlite"
)

// exits CODE PROGRAM [ARG]... runs a program that must end with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) >= 2, "exits CODE PROGRAM [ARG]...")
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("run %s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s ended with code %d, want %d", args[1], got, want)
	}
}

// patience is how long a script waits for another process before it gives up.
const patience = 30 * time.Second

// await FILE PATTERN waits until a file that another process writes matches.
func await(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 2, "await FILE PATTERN")
	awaitMatch(ts, args[0], args[1])
}

// capture VARIABLE FILE PATTERN waits likewise and keeps what the pattern's first group matched.
func capture(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 3, "capture VARIABLE FILE PATTERN")
	match := awaitMatch(ts, args[1], args[2])
	usage(ts, len(match) == 2, "the pattern has one group")
	ts.Setenv(args[0], match[1])
}

func awaitMatch(ts *testscript.TestScript, file, pattern string) []string {
	re, err := regexp.Compile("(?m)" + pattern)
	ts.Check(err)
	path := ts.MkAbs(file)
	var text []byte
	var match []string
	retry(func() bool {
		text, err = os.ReadFile(path)
		match = re.FindStringSubmatch(string(text))
		return err == nil && match != nil
	}, func() { ts.Fatalf("%s never matched %s; it reads:\n%s", file, pattern, text) })
	return match
}

// retry looks until done says yes, or gives up. Another process is to bring it about, so there is nothing to wait on.
func retry(done func() bool, giveUp func()) {
	for deadline := time.Now().Add(patience); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			giveUp()
		}
	}
}

// [!] signal NAME PROCESS sends a signal to a process that the background program started, or says that it is gone.
func sendSignal(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]syscall.Signal{"HUP": syscall.SIGHUP, "TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "KILL": syscall.SIGKILL}
	usage(ts, len(args) == 2 && signals[args[0]] != 0, "[!] signal HUP|TERM|INT|KILL PROCESS")
	pid, err := strconv.Atoi(strings.TrimSpace(ts.ReadFile(args[1] + ".pid")))
	ts.Check(err)
	if err = syscall.Kill(pid, signals[args[0]]); neg {
		if !errors.Is(err, syscall.ESRCH) {
			ts.Fatalf("process %d is still there: %v", pid, err)
		}
		return
	}
	ts.Check(err)
}

// [!] sql FILE STATEMENT... changes a database behind weir's back, or may not do so.
func runSQL(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, len(args) >= 2, "sql FILE STATEMENT...")
	db, err := sql.Open("sqlite", "file:"+ts.MkAbs(args[0])+"?_pragma=busy_timeout(5000)")
	ts.Check(err)
	defer db.Close() // what was written is committed
	for _, statement := range args[1:] {
		_, err := db.Exec(statement)
		if neg && err == nil {
			ts.Fatalf("%s was done", statement)
		}
		if !neg {
			ts.Check(err)
		}
	}
}

// tamper FILE STATEMENT... changes the events of a record behind weir's back. To the statements they are rows of the table events.
func tamper(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) >= 2, "tamper FILE STATEMENT...")
	var changes []kepttest.Change
	for _, statement := range args[1:] {
		changes = append(changes, kepttest.Change{Query: statement})
	}
	ts.Check(kepttest.Tamper(context.Background(), "sqlite://"+ts.MkAbs(args[0]), changes...))
}

// garble FOLDER TEXT changes a byte of the log that has a text.
func garble(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 2, "garble FOLDER TEXT")
	changed := false
	files, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*", "*.wlog"))
	ts.Check(err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		ts.Check(err)
		if at := bytes.Index(data, []byte(args[1])); at >= 0 {
			data[at] ^= 1
			ts.Check(os.WriteFile(file, data, 0o600))
			changed = true
		}
	}
	if !changed {
		ts.Fatalf("no log has %q", args[1])
	}
}

// damage FOLDER overwrites the files in a folder.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 1, "damage FOLDER")
	files, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*"))
	ts.Check(err)
	for _, file := range files {
		info, err := os.Stat(file)
		ts.Check(err)
		ts.Check(os.WriteFile(file, bytes.Repeat([]byte("damaged "), int(info.Size()/8+1)), 0o600))
	}
}

// copyrecord FROM TO copies the file of a record, and the folders of its logs and their index.
func copyrecord(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 2, "copyrecord FROM TO")
	from, to := ts.MkAbs(args[0]), ts.MkAbs(args[1])
	for _, end := range []string{"", "-log", "-index"} {
		info, err := os.Stat(from + end)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		ts.Check(err)
		if info.IsDir() {
			ts.Check(os.CopyFS(to+end, os.DirFS(from+end)))
			continue
		}
		data, err := os.ReadFile(from + end)
		ts.Check(err)
		ts.Check(os.WriteFile(to+end, data, 0o600))
	}
}

// refused URL waits until nobody listens there any more.
func refused(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 1, "refused URL")
	address := strings.TrimPrefix(args[0], "http://")
	retry(func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err != nil
	}, func() { ts.Fatalf("somebody still listens on %s", address) })
}

// listens VARIABLE FILE listens at a port of loopback, keeps its number, and adds a line to a file for each connection.
func listens(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 2, "listens VARIABLE FILE")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { l.Close() })
	_, port, err := net.SplitHostPort(l.Addr().String())
	ts.Check(err)
	ts.Setenv(args[0], port)
	file := ts.MkAbs(args[1])
	ts.Check(os.WriteFile(file, nil, 0o600))
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			if f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0); err == nil {
				_, _ = f.WriteString("reached\n") // a script that looks for it says so
				_ = f.Close()
			}
			_, _ = conn.Read(make([]byte, 64))     // what is not read would cut the connection
			_, _ = conn.Write([]byte("welcome\n")) // likewise
			_ = conn.Close()
		}
	}()
}

// certificate CERT KEY writes a certificate for loopback and its key.
func certificate(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 2, "certificate CERT KEY")
	public, private, err := ed25519.GenerateKey(nil)
	ts.Check(err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	cert, err := x509.CreateCertificate(nil, template, template, public, private)
	ts.Check(err)
	key, err := x509.MarshalPKCS8PrivateKey(private)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), 0o600))
}

// empty FOLDER says that a folder has nothing in it.
func empty(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 1, "empty FOLDER")
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, e := range entries {
		ts.Fatalf("%s holds %s", args[0], e.Name())
	}
}

func usage(ts *testscript.TestScript, ok bool, text string) {
	if !ok {
		ts.Fatalf("usage: %s", text)
	}
}
