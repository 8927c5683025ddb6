package transcript

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/weir-gate/weir/internal/run/agent"
)

// A Selection says which transcripts are read.
type Selection struct {
	Agent  string // one of Agents
	Around agent.Surroundings
	// Path is a folder or a file that has the transcripts; "": those that the agent stores on this machine.
	Path string
	// Since and Until bound the time of the calls; zero: they do not.
	Since, Until time.Time
	// Servers are the MCP servers in the agent's configuration.
	Servers []string
}

// These bound what a reading holds in memory.
const (
	maxLine     = 32 << 20 // bytes of a line, or of a row of a database
	maxWaiting  = 64       // calls that wait for their results
	maxHeld     = 16 << 20 // bytes of their arguments
	maxMet      = 1 << 20  // calls that are recognised if they come again
	maxTroubles = 20
	maxWindow   = 128 << 20 // bytes that unpacking may look back
	maxPlain    = 8 << 30   // bytes that are unpacked of one file: this bounds time, not memory
)

// A Tally says how much was read, and what could not be.
type Tally struct {
	Files    int   `json:"files"` // that have lines or entries in the time
	Bytes    int64 `json:"bytes"`
	Calls    int   `json:"calls"`
	Repeated int   `json:"repeated"` // calls that were read before: agents copy conversations that go on
	BadFiles int   `json:"unreadable_files"`
	BadLines int   `json:"unreadable_lines"`
	// Troubles are the first files and lines that could not be read.
	Troubles []Trouble `json:"troubles"`
	Places   []string  `json:"places"` // where transcripts were looked for
}

// A Trouble is a file, or a line of one, that could not be read.
type Trouble struct {
	File string `json:"file"`
	Line int    `json:"line,omitzero"`
	Why  string `json:"why"`
}

// A Reading reads transcripts, one line after the other.
type Reading struct {
	Tally Tally

	what    Selection
	kind    kind
	ctx     context.Context // of the one use of All
	scene   scene           // of the current file
	written time.Time       // when the current file was written last: the time of calls that have none
	met     map[uint64]struct{}
	seed    maphash.Seed
}

// NewReading begins to read. It fails if the agent is not known, or if Path does not exist.
func NewReading(what Selection) (*Reading, error) {
	k, ok := kindNamed(what.Agent)
	if !ok {
		return nil, fmt.Errorf("%q is no agent whose transcripts weir can read", what.Agent)
	}
	if what.Path != "" {
		if _, err := os.Stat(what.Path); err != nil {
			return nil, err
		}
	}
	return &Reading{what: what, kind: k, met: map[uint64]struct{}{}, seed: maphash.MakeSeed()}, nil
}

// All yields the calls. It ends early only if the context ends, with its error. It can be used once.
func (r *Reading) All(ctx context.Context) iter.Seq2[Call, error] {
	return func(yield func(Call, error) bool) {
		r.ctx = ctx
		more := true
		give := func(c Call) bool { return yield(c, nil) }
		for _, root := range r.roots() {
			if more = r.walk(root, give); !more {
				break
			}
		}
		if more && ctx.Err() != nil {
			yield(Call{}, context.Cause(ctx))
		}
	}
}

// roots are the folders, or the file, to be read.
func (r *Reading) roots() (out []string) {
	homes := r.kind.homes(r.what.Around)
	if r.what.Path != "" {
		homes = []string{r.what.Path}
	}
	for _, home := range homes {
		found := false
		for _, part := range r.kind.parts {
			dir := filepath.Join(home, part)
			if _, err := os.Stat(dir); err == nil {
				out, found = append(out, dir), true
			}
		}
		switch {
		case !found && r.what.Path != "":
			out = append(out, home) // a part of such a folder, or a copy
		case !found:
			r.Tally.Places = append(r.Tally.Places, filepath.Join(home, r.kind.parts[0]))
		}
	}
	r.Tally.Places = append(r.Tally.Places, out...)
	return out
}

// walk reads the transcripts below a folder. It says whether more calls are wanted.
func (r *Reading) walk(root string, yield func(Call) bool) (more bool) {
	if target, err := filepath.EvalSymlinks(root); err == nil {
		root = target // people link folders of their settings to elsewhere
	}
	more = true
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if r.ctx.Err() != nil {
			return fs.SkipAll
		}
		if err != nil {
			r.badFile(path, err)
			return nil
		}
		if d.IsDir() && path != root && slices.Contains(r.kind.skips, d.Name()) {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() || path != root && !r.kind.ours(path) {
			return nil
		}
		var size int64
		if size, r.written, err = sizeAndTime(path); err != nil {
			r.badFile(path, err)
			return nil
		}
		if !r.what.Since.IsZero() && r.written.Before(r.what.Since) {
			return nil
		}
		r.Tally.Bytes += size
		if more = r.readFile(path, yield); !more {
			return fs.SkipAll
		}
		return nil
	})
	if err != nil {
		r.badFile(root, err)
	}
	return more
}

// sizeAndTime says how large a file is, and when it was written last. What is new in a database may be in a file beside it.
func sizeAndTime(path string) (size int64, written time.Time, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, time.Time{}, err
	}
	size, written = info.Size(), info.ModTime()
	if log, err := os.Stat(path + "-wal"); err == nil {
		size += log.Size()
		if log.ModTime().After(written) {
			written = log.ModTime()
		}
	}
	return size, written, nil
}

func (r *Reading) readFile(path string, yield func(Call) bool) (more bool) {
	r.scene = scene{servers: r.what.Servers}
	if r.kind.open != nil {
		if is, more := r.kind.open(r, path, yield); is {
			return more
		}
	}
	f, err := os.Open(path)
	if err != nil {
		r.badFile(path, err)
		return true
	}
	defer f.Close()
	r.Tally.Files++
	if !strings.HasSuffix(path, compressed) {
		return r.readLines(path, f, yield)
	}
	plain, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		r.badFile(path, err)
		return true
	}
	defer plain.Close()
	return r.readLines(path, io.LimitReader(plain, maxPlain), yield)
}

// compressed is how the names of compressed files end.
const compressed = ".zst"

// readLines reads lines. A call waits for its result, which says whether the agent refused it.
func (r *Reading) readLines(path string, in io.Reader, yield func(Call) bool) bool {
	lines := &lineReader{in: bufio.NewReaderSize(in, 64<<10)}
	var waiting waiting
	for {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if r.ctx.Err() != nil {
			return true
		}
		var e entry
		switch {
		case errors.Is(err, errLong):
		case err != nil:
			r.badFile(path, err)
			return waiting.all(r, yield)
		case len(bytes.TrimSpace(line)) == 0:
			continue
		default:
			e, err = r.kind.parse(&r.scene, line)
		}
		if err != nil {
			r.badLine(path, lines.number, err)
			continue
		}
		for _, c := range e.calls {
			c.File, c.Line = path, lines.number
			if !waiting.add(r, c, yield) {
				return false
			}
		}
		for _, result := range e.results {
			if !waiting.end(r, result, yield) {
				return false
			}
		}
	}
	return waiting.all(r, yield)
}

// waiting are the calls whose results were not read yet, the oldest first.
type waiting struct {
	calls []Call
	held  int // bytes of their arguments
}

func (w *waiting) add(r *Reading, c Call, yield func(Call) bool) bool {
	w.calls = append(w.calls, c)
	w.held += len(c.Args)
	for len(w.calls) > maxWaiting || w.held > maxHeld {
		if !w.give(r, 0, yield) {
			return false
		}
	}
	return true
}

// end notes the result of a call.
func (w *waiting) end(r *Reading, result result, yield func(Call) bool) bool {
	at := slices.IndexFunc(w.calls, func(c Call) bool { return c.ID == result.id })
	if at < 0 {
		return true
	}
	w.calls[at].Stopped = w.calls[at].Stopped || result.stopped
	return w.give(r, at, yield)
}

func (w *waiting) give(r *Reading, at int, yield func(Call) bool) bool {
	c := w.calls[at]
	w.calls = slices.Delete(w.calls, at, at+1)
	w.held -= len(c.Args)
	return r.offer(c, yield)
}

func (w *waiting) all(r *Reading, yield func(Call) bool) bool {
	for len(w.calls) > 0 {
		if !w.give(r, 0, yield) {
			return false
		}
	}
	return true
}

// offer yields a call, if it is of the time and was not met before.
func (r *Reading) offer(c Call, yield func(Call) bool) bool {
	r.scene.complete(&c)
	if c.Time.IsZero() {
		c.Time = r.written
	}
	if !r.what.Since.IsZero() && c.Time.Before(r.what.Since) || !r.what.Until.IsZero() && !c.Time.Before(r.what.Until) {
		return true
	}
	if r.again(c) {
		r.Tally.Repeated++
		return true
	}
	r.Tally.Calls++
	return yield(c)
}

// again says whether the same call was read before. An agent that goes on with a conversation may copy it, with other times.
func (r *Reading) again(c Call) bool {
	if c.ID == "" {
		return false
	}
	var h maphash.Hash
	h.SetSeed(r.seed)
	for _, part := range []string{c.ID, c.Server, c.Tool, string(c.Args)} {
		h.WriteString(part)
		h.WriteByte(0)
	}
	sum := h.Sum64()
	if _, met := r.met[sum]; met {
		return true
	}
	if len(r.met) >= maxMet {
		clear(r.met) // copies are most often near each other
	}
	r.met[sum] = struct{}{}
	return false
}

func (r *Reading) badFile(path string, err error) {
	r.Tally.BadFiles++
	r.trouble(Trouble{File: path, Why: err.Error()})
}

func (r *Reading) badLine(path string, line int, err error) {
	r.Tally.BadLines++
	r.trouble(Trouble{path, line, err.Error()})
}

func (r *Reading) trouble(t Trouble) {
	if len(r.Tally.Troubles) < maxTroubles {
		r.Tally.Troubles = append(r.Tally.Troubles, t)
	}
}
