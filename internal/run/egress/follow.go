package egress

import (
	"bytes"
	"errors"
	"io"
	"net"
	"regexp"
	"strconv"
	"time"
)

// maxChunkLine is how long the line before a chunk may be; maxTrailer is how long all lines after the last chunk may be.
const (
	maxChunkLine = 4 << 10
	maxTrailer   = maxHead
)

// plainChunk is a line before a chunk that all servers parse alike.
var plainChunk = regexp.MustCompile(`^([0-9a-fA-F]{1,15})(?:[ \t]*;[\t\x20-\x7e]*)?$`)

// errOdd says that servers may disagree about the end of a body.
var errOdd = errors.New("the body of a request is ambiguous")

// body forwards the body of a request.
func (p *passage) body(server net.Conn, f follow) error {
	if !f.chunked {
		return p.copy(server, f.length)
	}
	for {
		line, err := p.line(maxChunkLine)
		if err != nil {
			return err
		}
		size := plainChunk.FindSubmatch(bytes.TrimSuffix(line, []byte("\r\n")))
		if size == nil {
			return errOdd
		}
		n, err := strconv.ParseInt(string(size[1]), 16, 64)
		if err != nil {
			return errOdd
		}
		if err := p.copy(server, int64(len(line))); err != nil {
			return err
		}
		if n == 0 {
			return p.trailer(server)
		}
		if err := p.copy(server, n); err != nil {
			return err
		}
		if line, err = p.line(len("\r\n")); err != nil {
			return err
		}
		if err := p.copy(server, int64(len(line))); err != nil {
			return err
		}
	}
}

// unread returns errOdd if a server that ignores the body of a request may read another request in it. It waits for as much of the
// body as it needs to decide.
func (p *passage) unread(f follow) error {
	for f.ignored && (f.chunked || f.length > 0) {
		body := p.client.head
		if !f.chunked {
			body = body[:min(int64(len(body)), f.length)]
		}
		g, st := look(body, p.kind)
		switch whole := !f.chunked && int64(len(body)) == f.length; {
		case g.from != "":
			return errOdd
		case st == settled || whole:
			return nil
		}
		if err := p.client.more(time.Time{}); errors.Is(err, io.EOF) {
			return nil // there is no more of the body
		} else if err != nil {
			return err
		}
	}
	return nil
}

// trailer forwards the lines after the last chunk.
func (p *passage) trailer(server net.Conn) error {
	for total := 0; total < maxTrailer; {
		line, err := p.line(maxChunkLine)
		if err != nil {
			return err
		}
		total += len(line)
		if last := len(line) == len("\r\n"); last {
			return p.copy(server, int64(len(line)))
		}
		if !plainHeader.Match(bytes.TrimSuffix(line, []byte("\r\n"))) {
			return errOdd
		}
		if err := p.copy(server, int64(len(line))); err != nil {
			return err
		}
	}
	return errOdd
}

// line waits for the next line of the client. It includes the line end, and is not forwarded yet.
func (p *passage) line(longest int) ([]byte, error) {
	for {
		if i := bytes.IndexByte(p.client.head, '\n'); i >= 0 {
			line := p.client.head[:i+1]
			if len(line) > longest || !bytes.HasSuffix(line, []byte("\r\n")) || bytes.IndexByte(line, '\r') != i-1 {
				return nil, errOdd
			}
			return line, nil
		}
		if len(p.client.head) >= longest {
			return nil, errOdd
		}
		if err := p.client.more(time.Time{}); err != nil {
			return nil, err
		}
	}
}

// copy forwards n bytes.
func (p *passage) copy(server net.Conn, n int64) error {
	now := min(n, int64(len(p.client.head)))
	if now > 0 {
		if _, err := server.Write(p.client.head[:now]); err != nil {
			return err
		}
		p.client.forget(int(now))
	}
	if now == n {
		return nil
	}
	_, err := io.CopyN(server, p.client.Conn, n-now)
	return err
}
