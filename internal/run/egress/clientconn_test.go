package egress

import (
	"context"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestFirstBytesAreWaitedFor(t *testing.T) {
	t.Parallel()
	hello := string(clientHello(t, "api.example.com"))
	const slow = 400 * time.Millisecond
	tests := map[string]struct {
		pieces []string // each after a pause
		pause  time.Duration
		end    bool // the client is done with sending then
		want   glimpse
		stage  stage
		took   time.Duration
	}{
		"silence":                {stage: nothing, took: firstBytes},
		"only an end":            {end: true, stage: nothing},
		"one letter":             {pieces: []string{"G"}, stage: open, took: firstBytes},
		"letters that go on":     {pieces: []string{"G", "E", "T"}, pause: 40 * time.Millisecond, stage: open, took: firstBytes},
		"one letter, and an end": {pieces: []string{"G"}, end: true, stage: open},
		"half a head":            {pieces: []string{"GET / HTTP/1.1\r\nHost: a.example\r\n"}, stage: begun, want: glimpse{from: fromHTTP, names: []string{"a.example"}, doubt: true}, took: begunBytes},
		"half a hello":           {pieces: []string{hello[:100]}, stage: begun, want: glimpse{from: fromSNI, doubt: true}, took: begunBytes},
		"a slow head":            {pieces: []string{"", "GET / HTTP/1.1\r\n", "Host: a.ex", "ample\r\n\r\n"}, pause: 50 * time.Millisecond, stage: settled, want: glimpse{from: fromHTTP, names: []string{"a.example"}}, took: 150 * time.Millisecond},
		"a slow hello":           {pieces: []string{hello[:1], hello[1:30], hello[30:200], hello[200:]}, pause: slow, stage: settled, want: glimpse{from: fromSNI, names: []string{"api.example.com"}}, took: 3 * slow},
		"an endless hello": {
			pieces: []string{"\x16\x03\x01\x40\x00\x01\x00\x3f\xff" + string(make([]byte, maxHead/2-9)), string(make([]byte, maxHead/2))},
			stage:  settled, want: glimpse{from: fromSNI, doubt: true},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				near, far := net.Pipe()
				defer far.Close()
				defer near.Close()
				go func() {
					for i, piece := range tt.pieces {
						if i > 0 {
							time.Sleep(tt.pause)
						}
						_, _ = io.WriteString(far, piece)
					}
					if tt.end {
						synctest.Wait() // a pipe whose other end is gone takes no deadline, unlike a connection
						_ = far.Close()
					}
				}()
				start := time.Now()
				c := &clientConn{Conn: near}
				got, st, err := c.glimpse(waits{first: firstBytes, open: firstBytes}, afresh)
				if err != nil || st != tt.stage || time.Since(start) != tt.took {
					t.Errorf("stage %d, %v, after %v", st, err, time.Since(start))
				}
				if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(glimpse{}), cmpopts.IgnoreFields(glimpse{}, "end", "then")); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestTheWatchTakesNothingAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer far.Close()
		defer near.Close()
		c := &clientConn{Conn: near}
		c.while(t.Context(), func(ctx context.Context) {
			_, _ = io.WriteString(far, "meanwhile")
			if ctx.Err() != nil {
				t.Error("the client is not gone")
			}
		})
		go func() { _, _ = io.WriteString(far, " and after") }()
		if err := c.read(); err != nil || string(c.head) != "meanwhile and after" {
			t.Errorf("read %q, %v", c.head, err)
		}
	})
}
