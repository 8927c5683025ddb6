package recordlog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/weir-gate/weir/internal/record/recordlog/packed"
)

// ErrNotKept says that retention removed an event, or that there never was one at a position.
var ErrNotKept = errors.New("the log no longer has this event, or never had it")

// An Archive reads single events of the logs in a folder. It may be used by several goroutines at once. It holds no file open.
type Archive struct {
	folder string
	blocks cache[blockKey, []byte]
	tables cache[segmentKey, packed.Table]

	mu   sync.Mutex
	logs map[string]known
}

// known is what an archive knows about a log. The log may have changed since.
type known struct {
	segments segments
	id       *instance
}

type segmentKey struct {
	log  string
	base Position
}

type blockKey struct {
	segmentKey
	begins int64
}

const (
	usualMemory   = 16 << 20
	tableMemory   = 8 << 20
	tableEntry    = 40 // bytes of memory that a block takes in a table
	maxKnown      = 256
	textTries     = 5
	unreadableLog = "record log: %s, position %d: %w"
)

// NewArchive returns an archive of the logs in a folder. memory bounds the blocks that it remembers, in bytes; 0: 16 MiB.
func NewArchive(folder string, memory int64) *Archive {
	if memory == 0 {
		memory = usualMemory
	}
	return &Archive{
		folder: folder, logs: map[string]known{},
		blocks: cache[blockKey, []byte]{room: memory}, tables: cache[segmentKey, packed.Table]{room: tableMemory},
	}
}

// Text returns the text of the event or mark at a position of a log, which is named by its folder in the folder of logs. It is checked as
// always. The error is ErrNotKept if the log does not have it any more, and *Damage if it is not as it was written.
func (a *Archive) Text(log string, at Position) ([]byte, error) {
	if log != filepath.Base(log) || strings.HasPrefix(log, ".") {
		return nil, fmt.Errorf("record log: %q is not the name of a log", log)
	}
	var damage error
	for try := range textTries { // the log may change meanwhile
		k, err := a.known(log, try > 0)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf(unreadableLog, log, at, ErrNotKept)
		}
		if err != nil {
			return nil, err
		}
		s, _, found := k.segments.at(at)
		if !found || s.base > at || k.id == nil {
			damage = fmt.Errorf(unreadableLog, log, at, ErrNotKept)
			continue
		}
		text, err := a.text(segmentKey{log, s.base}, s, *k.id, at)
		if err == nil {
			return text, nil
		}
		var isDamage *Damage
		switch {
		case errors.As(err, &isDamage):
			if try > 0 { // it was looked for where it should be
				return nil, err
			}
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
		damage = err
	}
	if errors.Is(damage, fs.ErrNotExist) {
		damage = fmt.Errorf(unreadableLog, log, at, ErrNotKept)
	}
	return nil, damage
}

// known returns the segments of a log.
func (a *Archive) known(log string, again bool) (known, error) {
	a.mu.Lock()
	k, found := a.logs[log]
	a.mu.Unlock()
	if found && !again {
		return k, nil
	}
	folder := filepath.Join(a.folder, log)
	all, err := segmentsIn(folder)
	if err != nil {
		return known{}, err
	}
	w := walk{folder: folder, segments: all, id: k.id}
	if w.id == nil {
		w.identify()
	}
	k = known{all, w.id}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.logs) >= maxKnown {
		clear(a.logs) // they are listed again
	}
	a.logs[log] = k
	return k, nil
}

// text reads a text from a segment.
func (a *Archive) text(key segmentKey, s storedSegment, id instance, at Position) ([]byte, error) {
	c, err := a.open(key, s)
	if err != nil {
		return nil, err
	}
	defer c.close()
	r := frames{content: c, id: id, base: s.base}
	f, ok, err := r.frame(at, -1)
	var bad *badBlock
	if errors.As(err, &bad) {
		return nil, r.damaged(at, at+1, bad.Error(), r.offset(at))
	}
	if err != nil {
		return nil, err
	}
	if !ok || f.kind == kindEnd {
		return nil, r.damaged(at, at+1, "no event is here that is as it was written", r.offset(at))
	}
	return append([]byte(nil), f.text...), nil
}

// open opens a segment. Of a packed one, the table and the blocks are remembered.
func (a *Archive) open(key segmentKey, s storedSegment) (content, error) {
	if !s.packed {
		f, err := os.Open(s.rawPath())
		if err != nil {
			return nil, fmt.Errorf("record log: %w", err)
		}
		return &rawContent{file: f, ahead: usualFrame}, nil
	}
	table, err := a.tables.get(key, func() (packed.Table, int64, error) {
		f, err := os.Open(s.packedPath())
		if err != nil {
			return packed.Table{}, 0, fmt.Errorf("record log: %w", err)
		}
		defer f.Close() // nothing was written
		t, _, err := s.table(f)
		t.Notes = nil
		return t, int64(tableEntry * (1 + len(t.Blocks))), err
	})
	if err != nil {
		return nil, err
	}
	return &archivedContent{a, key, s, table}, nil
}

// An archivedContent is that of a packed segment, of which an archive remembers parts.
type archivedContent struct {
	archive *Archive
	key     segmentKey
	segment storedSegment
	table   packed.Table
}

func (c *archivedContent) path() string { return c.segment.packedPath() }
func (c *archivedContent) close()       {}

func (c *archivedContent) read(offset int64, n int) ([]byte, error) {
	b, found := c.table.Find(offset)
	if !found {
		return nil, nil
	}
	bytes, err := c.archive.blocks.get(blockKey{c.key, b.Begins}, func() ([]byte, int64, error) {
		f, err := os.Open(c.path())
		if err != nil {
			return nil, 0, fmt.Errorf("record log: %w", err)
		}
		defer f.Close() // nothing was written
		bytes, err := b.Read(f, nil)
		if err != nil {
			err = unreadable(f, b, err)
		}
		return bytes, b.Size, err
	})
	if err != nil {
		return nil, err
	}
	rest := bytes[offset-b.Begins:]
	return rest[:min(n, len(rest))], nil
}

// An Extent is what an archive has of a log.
type Extent struct {
	Log        string   // its folder in the folder of logs
	First, End Position // what is kept: from the first up to the end
	Ended      bool     // nobody writes it any more, and all its segments are finished; else somebody may
	Segments   int      // without its end
	Packed     int      // of them
	Bytes      int64    // on disk
}

// Logs lists the logs of the archive. To find the end of a log that has not ended, its last segment is read.
func (a *Archive) Logs() ([]Extent, error) {
	names, err := os.ReadDir(a.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("record log: %w", err)
	}
	var logs []Extent
	for _, e := range names {
		if !e.IsDir() || strings.HasPrefix(e.Name(), newBegins) || strings.HasPrefix(e.Name(), DamagedBegins) {
			continue
		}
		x, err := a.extent(e.Name())
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was just removed
		}
		if err != nil {
			return nil, err
		}
		logs = append(logs, x)
	}
	return logs, nil
}

func (a *Archive) extent(log string) (Extent, error) {
	x := Extent{Log: log}
	k, err := a.known(log, true)
	if err != nil || len(k.segments) == 0 {
		return x, err
	}
	if x.Bytes, err = sizeOf(filepath.Join(a.folder, log)); err != nil {
		return x, err
	}
	last := k.segments[len(k.segments)-1]
	x.First, x.Segments = k.segments[0].base, len(k.segments)
	for _, s := range k.segments {
		if s.packed && !s.raw {
			x.Packed++
		}
	}
	if x.Ended, err = last.isEnd(); err != nil {
		return x, err
	}
	if x.End = last.base; x.Ended {
		x.Segments--
		return x, nil
	}
	for g, err := range Scan(filepath.Join(a.folder, log), last.base) {
		var damage *Damage
		if err != nil && !errors.As(err, &damage) && !errors.Is(err, io.EOF) {
			return x, err
		}
		x.End = max(x.End, g.After)
	}
	return x, nil
}

// sizeOf is how much room the files in a folder take.
func sizeOf(folder string) (total int64, err error) {
	names, err := os.ReadDir(folder)
	if err != nil {
		return 0, fmt.Errorf("record log: %w", err)
	}
	for _, e := range names {
		if info, err := e.Info(); err == nil { // else it was just removed
			total += info.Size()
		}
	}
	return total, nil
}
