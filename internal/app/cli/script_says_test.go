package cli

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// says ADDRESS FILE opens a connection for each line of a file, and says there what the line has between quotes, or what a client of TLS says:
// hello SIZE NAME. It prints what came of it.
func says(args []string) int {
	file, err := os.Open(args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		conn, err := net.DialTimeout("tcp", args[0], 10*time.Second)
		if err == nil {
			_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
			err = sayAndHear(conn, lines.Text())
			_ = conn.Close()
		}
		switch {
		case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
			fmt.Println("reset", lines.Text())
		default:
			fmt.Println("answered", err, lines.Text())
		}
	}
	return 0
}

// sayAndHear says one thing, and reads to the end.
func sayAndHear(conn net.Conn, line string) error {
	if rest, ok := strings.CutPrefix(line, "hello "); ok {
		size, name, _ := strings.Cut(rest, " ")
		n, err := strconv.Atoi(size)
		if err != nil {
			return err
		}
		cfg := &tls.Config{ServerName: name, InsecureSkipVerify: true}
		for ; n > 0; n -= 255 {
			cfg.NextProtos = append(cfg.NextProtos, strings.Repeat("p", 250)+strconv.Itoa(n%9973))
		}
		return tls.Client(conn, cfg).Handshake()
	}
	text, err := strconv.Unquote(line)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(conn, text); err != nil {
		return err
	}
	_, err = io.ReadAll(conn)
	return err
}
