package cli

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// post BASE TURN|@FILE [NAME:VALUE]... asks the model behind BASE for a turn, with headers, and prints the body as it comes
// and the status on the error output. The file holds a request. It fails when the status is not 200 or the body breaks off.
func post(args []string) int {
	if len(args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: post BASE TURN|@FILE [NAME:VALUE]...")
		return 2
	}
	body := fmt.Sprintf(`{"model":%q,"max_tokens":16,"stream":true,"messages":[{"role":"user","content":"go"}]}`, args[1])
	if file, ok := strings.CutPrefix(args[1], "@"); ok {
		text, err := os.ReadFile(file)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		body = string(text)
	}
	req, err := http.NewRequest(http.MethodPost, args[0]+"/v1/messages", strings.NewReader(body))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	req.Header.Set("Content-Type", "application/json")
	for _, header := range args[2:] {
		name, value, _ := strings.Cut(header, ":")
		req.Header.Set(name, value)
	}
	return send(req)
}

// get URL [NAME:VALUE]... fetches a page, with headers, and prints it like post.
func get(args []string) int {
	if len(args) < 1 {
		fmt.Fprintln(os.Stderr, "usage: get URL [NAME:VALUE]...")
		return 2
	}
	req, err := http.NewRequest(http.MethodGet, args[0], nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	for _, header := range args[1:] {
		name, value, _ := strings.Cut(header, ":")
		req.Header.Set(name, value)
	}
	return send(req)
}

// send prints the answer to a request as it comes.
func send(req *http.Request) int {
	client := http.Client{Timeout: time.Minute}
	resp, err := client.Do(req)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer resp.Body.Close()
	fmt.Fprintln(os.Stderr, resp.Status)
	if session := resp.Header.Get("Mcp-Session-Id"); session != "" {
		fmt.Fprintln(os.Stderr, "mcp-session-id: "+session)
	}
	if _, err := io.Copy(os.Stdout, resp.Body); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if resp.StatusCode != http.StatusOK {
		return 1
	}
	return 0
}

// dial ADDRESS... (self: one of its own) opens a connection to each and prints what comes, or that none was to be had.
func dial(args []string) int {
	failed := 0
	for _, address := range args {
		network := "tcp"
		if address == "self" {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
			go func() {
				if conn, err := l.Accept(); err == nil {
					_, _ = conn.Read(make([]byte, 64))
					_, _ = conn.Write([]byte("self own"))
					_ = conn.Close()
				}
			}()
			address = l.Addr().String()
		}
		if rest, ok := strings.CutPrefix(address, "udp:"); ok {
			network, address = "udp", rest
		}
		conn, err := net.DialTimeout(network, address, 10*time.Second)
		var text []byte
		if err == nil {
			_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
			if _, err = conn.Write([]byte("hello\n")); err == nil {
				text, err = io.ReadAll(conn)
			}
			_ = conn.Close()
		}
		if err != nil {
			failed++
			fmt.Println(address, "failed")
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		fmt.Println(address, strings.TrimSpace(string(text)))
	}
	return failed
}

// background NAME PROGRAM [ARG]... becomes PROGRAM, with its process id in NAME.pid and its output in NAME.out and
// NAME.err, where a script can look at it while it runs.
func background(args []string) int {
	if err := become(args); err != nil {
		fmt.Fprintln(os.Stderr, "background:", err)
	}
	return 2
}

// becoming leaves the redirection to the shell, which replaces itself and so keeps its process id.
const becoming = `echo $$ >"$0.pid"; exec "$@" >"$0.out" 2>"$0.err"`

func become(args []string) error {
	if len(args) < 2 {
		return errors.New("usage: background NAME PROGRAM [ARG]...")
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		return err
	}
	return syscall.Exec(shell, append([]string{"sh", "-c", becoming}, args...), os.Environ())
}
