package recordlog

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/record/recordlog/packed"
)

// packedBlock is about how many bytes of frames are packed together. A frame is never in two blocks. Blocks of 256 KiB would take 4 %
// less room, and four times as long for one event.
const packedBlock = 64 << 10

// Compress packs the finished segments of the log in a folder. Their frames stay as they are, with their positions and checksums. It may be
// called by any process, also for a log that is being written; one at a time packs a log. A segment that is damaged is left as it is, and
// is in the error. The memory that it takes is bounded by the largest event.
func Compress(ctx context.Context, folder string) error {
	return compress(ctx, folder, job{files: Disk, block: packedBlock})
}

func compress(ctx context.Context, folder string, j job) error {
	all, err := segmentsIn(folder)
	if err != nil {
		return err
	}
	w := walk{folder: folder, segments: all}
	w.identify()
	var errs []error
	for i, s := range all {
		if j.ends = all.end(i); j.ends < 0 || !s.raw || w.id == nil {
			continue
		}
		j.id = *w.id
		err := s.packAlone(ctx, j)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// packAlone packs a segment while nobody else packs or removes one. Between two segments, others can.
func (s storedSegment) packAlone(ctx context.Context, j job) error {
	held, err := lockWork(ctx, s.folder)
	if err != nil {
		return err
	}
	defer held.release()
	if err := removeFresh(j.files, s.folder); err != nil {
		return fmt.Errorf("record log: remove what was not packed to its end: %w", err)
	}
	if _, err := os.Stat(s.rawPath()); errors.Is(err, fs.ErrNotExist) {
		return nil // meanwhile somebody else packed or removed it
	}
	if _, err := os.Stat(s.packedPath()); err == nil {
		s.packed = true
	}
	return s.pack(ctx, j)
}

// removeFresh removes packed segments that are not complete.
func removeFresh(files Files, folder string) error {
	names, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range names {
		if strings.HasSuffix(e.Name(), freshEnds) {
			if err := files.Remove(filepath.Join(folder, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// A job is to pack a segment of a log that ends at a position, in blocks of a size.
type job struct {
	files Files
	id    instance
	ends  Position
	block int
}

// pack packs a segment, and removes what it was. If both are there, somebody was interrupted before that.
func (s storedSegment) pack(ctx context.Context, j job) error {
	if s.packed {
		whole, err := s.packedWhole(ctx)
		if err != nil {
			return err
		}
		if !whole {
			if err := j.files.Remove(s.packedPath()); err != nil {
				return fmt.Errorf("record log: %w", err)
			}
			s.packed = false
		}
	}
	if !s.packed {
		if err := s.packAnew(ctx, j); err != nil {
			return err
		}
	}
	err := j.files.Remove(s.rawPath())
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // else its log forgot it
		return fmt.Errorf("record log: remove a segment that is packed: %w", err)
	}
	return nil
}

// packedWhole says whether all blocks of a packed segment are as they were written.
func (s storedSegment) packedWhole(ctx context.Context) (bool, error) {
	f, err := os.Open(s.packedPath())
	if err != nil {
		return false, fmt.Errorf("record log: %w", err)
	}
	defer f.Close() // nothing was written
	table, trouble, err := s.table(f)
	if err != nil || trouble != nil {
		return false, err
	}
	var bytes []byte
	for _, b := range table.Blocks {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if bytes, err = b.Read(f, bytes); errors.Is(err, packed.ErrDamaged) {
			return false, nil
		} else if err != nil {
			return false, fmt.Errorf("record log: read %s: %w", f.Name(), err)
		}
	}
	return true, nil
}

// packAnew packs a segment. The packed one gets its name when all of it is durable.
func (s storedSegment) packAnew(ctx context.Context, j job) error {
	fresh := filepath.Join(s.folder, strings.TrimSuffix(packedName(s.base), packedEnds)+freshEnds)
	f, err := j.files.Create(fresh, 0)
	if err != nil {
		return fmt.Errorf("record log: pack a segment: %w", err)
	}
	defer f.Close() // it is synced, or does not count
	if err := s.packTo(ctx, io.NewOffsetWriter(f, 0), j); err != nil {
		_ = j.files.Remove(fresh) // or the next time
		return err
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("record log: pack a segment: %w", err)
	}
	if err := j.files.Rename(f, s.packedPath()); err != nil {
		return fmt.Errorf("record log: pack a segment: %w", err)
	}
	return nil
}

// packTo writes a segment in its packed form.
func (s storedSegment) packTo(ctx context.Context, to io.Writer, j job) error {
	c, err := os.Open(s.rawPath())
	if err != nil {
		return fmt.Errorf("record log: %w", err)
	}
	defer c.Close() // nothing was written
	p := finished{frames: frames{content: &rawContent{file: c}, base: s.base}, at: s.base, ends: j.ends}
	if err := p.header(); err != nil {
		if errors.Is(err, io.EOF) {
			err = p.damaged(s.base, s.base, errNoHeader.Error(), 0)
		}
		return err
	}
	if p.id != j.id {
		return p.damaged(s.base, s.base, "this segment is of another log", 0)
	}
	buffered := bufio.NewWriterSize(to, packedBlock)
	w, err := packed.NewWriter(buffered)
	if err != nil {
		return fmt.Errorf("record log: %w", err)
	}
	notes, err := p.packFrames(ctx, w, j.block)
	if err == nil {
		err = errors.Join(w.Finish(notes), buffered.Flush())
	}
	return err
}

// packFrames packs the frames of a segment in blocks of a size, and returns its facts.
func (s *finished) packFrames(ctx context.Context, w *packed.Writer, size int) (notes []byte, err error) {
	block := make([]byte, 0, size+size/8)
	flush := func() error {
		err := w.Block(block)
		if block = block[:0]; cap(block) > maxBuffer {
			block = nil
		}
		if err != nil {
			err = fmt.Errorf("record log: pack %s: %w", s.path(), err)
		}
		return err
	}
	facts, err := s.tally(ctx, func(part []byte) error {
		if block = append(block, part...); len(block) < size {
			return nil
		}
		return flush()
	})
	if err == nil && len(block) > 0 {
		err = flush()
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(facts)
}
