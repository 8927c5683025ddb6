package daemon

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"time"

	"github.com/weir-gate/weir/internal/app/config"
)

// watched are files whose content is looked at from time to time. Times and file events are not used: this works with every editor,
// mount and symbolic link.
type watched struct {
	paths        func() []string
	seen, judged [sha256.Size]byte
}

// watch begins with what the files have now.
func watch(paths ...string) *watched { return watchAll(func() []string { return paths }) }

// watchClients watches a file with clients, or a folder of such files. Files may be added and removed. "": there is nothing to watch.
func watchClients(path string) *watched {
	if path == "" {
		return watch()
	}
	return watchAll(func() []string {
		names, err := config.ClientFileNames(path)
		if err != nil {
			return []string{path} // which shows the error
		}
		return names
	})
}

func watchAll(paths func() []string) *watched {
	w := &watched{paths: paths}
	w.judge()
	return w
}

// follow calls a function whenever the files have changed, until ctx ends.
func (w *watched) follow(ctx context.Context, every time.Duration, change func()) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if w.changed() {
				change()
			}
		}
	}
}

// changed says whether the files have changed since they were judged last, but not since the last look: the first half of a file that is
// being written is not its new content. Then they count as judged.
func (w *watched) changed() bool {
	now := w.read()
	settled := now == w.seen
	w.seen = now
	if !settled || now == w.judged {
		return false
	}
	w.judged = now
	return true
}

// judge says that what the files have now is being judged.
func (w *watched) judge() { w.seen = w.read(); w.judged = w.seen }

// read is the digest of what the files have, and of who may use them: a file may be refused for that alone. One that cannot be read counts
// as that it cannot.
func (w *watched) read() (sum [sha256.Size]byte) {
	all := sha256.New()
	for _, path := range w.paths() {
		data, err := os.ReadFile(path)
		if err != nil {
			data = []byte(err.Error())
		}
		mode := os.FileMode(0)
		if info, err := os.Stat(path); err == nil {
			mode = info.Mode()
		}
		part := sha256.Sum256(data)
		fmt.Fprintf(all, "%q %o %x\n", path, mode, part)
	}
	return [sha256.Size]byte(all.Sum(nil))
}
