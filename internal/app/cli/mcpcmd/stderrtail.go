package mcpcmd

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/weir-gate/weir/internal/text/inert"
)

// maxTail is how many bytes of the end of a program's output are held.
const maxTail = 4 << 10

// A stderrTail holds the end of a program's output, to show it if the program fails.
type stderrTail struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer. It never fails.
func (t *stderrTail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[max(0, len(p)-maxTail):]...)
	t.text = t.text[max(0, len(t.text)-maxTail):]
	return len(p), nil
}

// print prints it in a form that is harmless for a terminal.
func (t *stderrTail) print(out io.Writer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for line := range strings.Lines(string(bytes.TrimSpace(t.text))) {
		fmt.Fprintf(out, "  | %s\n", inert.Text(strings.TrimRight(line, "\r\n"), 400))
	}
}
