package proxy

import (
	"bytes"
	"cmp"
	"errors"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"

	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/loose"
)

const (
	// chunkSize is the size of the parts in which a compressed file is held and sent.
	chunkSize = 32 << 10
	// coverLag is more than a decoder buffers: its input decompresses to at most this many bytes more than it has delivered. That is a
	// window of deflate, or two blocks of zstd.
	coverLag = 512 << 10
)

// coverOf is the encoding of a compressed file with this beginning; "": it is not compressed.
func coverOf(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return "gzip"
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return "zstd"
	case len(head) >= 4 && head[0]&0xf0 == 0x50 && bytes.Equal(head[1:4], []byte{0x2a, 0x4d, 0x18}):
		return "zstd" // a skippable frame ahead of the others
	}
	return ""
}

// A cover delivers the bytes of a compressed file unchanged, but holds them until the text that they decompress to was checked. If
// some reader could find a call in that text, its error is a *dialect.Refused, and the bytes that complete the call are not
// delivered. Where no reader can decompress more of the file, the rest passes unchanged.
type cover struct {
	a        *answering
	limit    int // of an incomplete value, and of what an inner cover decompresses to
	depth    int // how many covers are around this one
	encoding string
	room     *budget.Share // for what waits, here and in the scout
	window   *budget.Share // for the decoder

	src     io.Reader
	srcErr  error
	waiting []chunk
	size    int    // of what waits
	at      []byte // the part of the last chunk that the decoder has not read yet
	rest    []byte // may be sent

	plain   *counter // delivers the decompressed text
	inner   *cover   // the compressed file inside of this one; nil: none
	inside  io.Reader
	scout   *loose.Scout
	cleared int64 // how many bytes of plain are checked
	buf     []byte
	over    bool  // nothing more can be decompressed
	fail    error // why no more can be held
	err     error
}

// A chunk is a part of a compressed file.
type chunk struct {
	data  []byte
	until int64 // how many decompressed bytes must be checked first; -1: the decoder has not read the whole chunk
}

// A counter counts the bytes that are read through it.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// newCover returns a reader of a file in an encoding. depth is how many covers are around it.
func (a *answering) newCover(src io.Reader, encoding string, depth int) *cover {
	return &cover{
		a: a, limit: a.door.cfg.Bounds.Frame, depth: depth, encoding: encoding, src: src,
		room: a.Account.Share(budget.Responses), window: a.Account.Share(budget.Responses), buf: make([]byte, chunkSize),
	}
}

// free gives back the cover's share of the memory budget. A nil cover has none.
func (c *cover) free() {
	if c != nil {
		c.inner.free()
		c.room.Free()
		c.window.Free()
	}
}

// Read implements io.Reader.
func (c *cover) Read(p []byte) (int, error) {
	for len(c.rest) == 0 {
		switch {
		case c.err != nil:
			return 0, c.err
		case len(c.waiting) > 0 && (c.over || c.waiting[0].until >= 0 && c.cleared >= c.waiting[0].until):
			c.rest = c.waiting[0].data
			c.size -= len(c.rest)
			c.waiting = c.waiting[1:]
		case c.over && c.srcErr != nil:
			return 0, c.srcErr
		case c.over:
			return c.src.Read(p)
		default:
			c.err = c.step()
		}
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// step decompresses and checks a little more of the file.
func (c *cover) step() error {
	if err := c.a.R.Context().Err(); err != nil {
		return err // decompressing may take long
	}
	if c.scout == nil {
		if err := c.open(); err != nil {
			return err
		}
	}
	n, err := c.inside.Read(c.buf)
	passed, found := c.scout.Take(c.buf[:n])
	c.cleared += int64(len(passed))
	if found == nil && err != nil {
		_, found = c.scout.End()
	}
	if found == nil {
		found = c.room.Set(c.size + c.scout.Held())
	}
	if why := whyNot(found); why != nil {
		return why
	}
	switch {
	case c.fail != nil:
		return c.fail
	case c.depth == 0 && c.srcErr != nil && c.srcErr != io.EOF: // only io.EOF itself is a clean end
		return c.srcErr
	case c.depth > 0 && c.plain.n > int64(c.limit):
		return notOpened // nested covers may decompress to very much
	case err != nil:
		c.over = true
		return c.unopened(err)
	}
	return nil
}

// open starts the decoder.
func (c *cover) open() error {
	cost := flateCost
	if c.encoding == "zstd" {
		cost = zstdCost + zstdWindow
	}
	if err := c.window.Set(cost); err != nil {
		return overBudget(err)
	}
	c.plain = &counter{r: &members{src: (*source)(c)}}
	if c.encoding == "zstd" {
		var err error
		// As lenient as any reader: some do not check checksums.
		c.plain.r, err = zstd.NewReader((*source)(c), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(zstdWindow), zstd.IgnoreChecksum(true))
		if err != nil {
			return err
		}
	}
	head := make([]byte, loose.HeadSize)
	n, _ := io.ReadFull(c.plain, head) // the next read returns the error again
	head = head[:n]
	c.scout, c.inside = loose.New(head, c.limit), io.MultiReader(bytes.NewReader(head), c.plain)
	if encoding := coverOf(head); encoding != "" {
		if c.depth+1 == maxEncodings {
			return notOpened
		}
		c.inner = c.a.newCover(c.inside, encoding, c.depth+1)
		c.inside = c.inner
	}
	return nil
}

// unopened says why a file is refused whose decoder ended with err; nil: the rest passes unchanged. For gzip, weir has seen
// everything that any reader can decompress. For zstd, others may decompress more: larger windows, parts of blocks.
func (c *cover) unopened(err error) error {
	var why *dialect.Refused
	switch {
	case errors.As(err, &why):
		return why
	case c.encoding == "zstd" && err != io.EOF && !errors.Is(err, zstd.ErrMagicMismatch): // as above
		return notOpened
	}
	return nil
}

// A source is the input of a cover's decoder. It reads ahead of the decoder by no more than a chunk.
type source cover

// fetch reads the next chunk, if the decoder has read all of the last one.
func (s *source) fetch() error {
	if len(s.at) > 0 {
		return nil
	}
	if last := len(s.waiting) - 1; last >= 0 && s.waiting[last].until < 0 {
		s.waiting[last].until = s.plain.n + coverLag
	}
	if s.fail == nil && s.size > s.limit+2*coverLag {
		s.fail = notOpened // so many bytes decompress to nothing
	}
	if s.fail == nil {
		if err := s.room.Set(max(s.room.Held(), s.size+chunkSize)); err != nil {
			s.fail = overBudget(err)
		}
	}
	if s.fail != nil || s.srcErr != nil {
		return cmp.Or(s.fail, s.srcErr)
	}
	data := make([]byte, chunkSize)
	n := 0
	for n < len(data) && s.srcErr == nil {
		var more int
		more, s.srcErr = s.src.Read(data[n:])
		n += more
	}
	if n == 0 {
		return s.srcErr
	}
	s.at = data[:n:n]
	s.size += n
	s.waiting = append(s.waiting, chunk{s.at, -1})
	return nil
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	if err := s.fetch(); err != nil {
		return 0, err
	}
	n := copy(p, s.at)
	s.at = s.at[n:]
	return n, nil
}

// ReadByte implements io.ByteReader, so that the decoder does not read ahead.
func (s *source) ReadByte() (byte, error) {
	if err := s.fetch(); err != nil {
		return 0, err
	}
	b := s.at[0]
	s.at = s.at[1:]
	return b, nil
}

// members decompresses gzip as leniently as any reader: it ignores checksums and sizes, and accepts zeros between members.
type members struct {
	src   *source
	flate io.ReadCloser // nil: no member was opened yet
	open  bool
	err   error
}

// Read implements io.Reader.
func (m *members) Read(p []byte) (n int, err error) {
	for n == 0 && m.err == nil {
		if !m.open {
			if m.err = m.begin(); m.err != nil {
				break
			}
		}
		n, err = m.flate.Read(p)
		switch {
		case err == io.EOF: // only io.EOF itself is a clean end
			m.open, m.err = false, m.skip(8)
		case err != nil:
			m.err = err
		}
	}
	if n > 0 {
		return n, nil
	}
	return 0, m.err
}

// begin opens the next member.
func (m *members) begin() error {
	if err := m.header(); err != nil {
		return err
	}
	m.open = true
	if again, ok := m.flate.(flate.Resetter); ok {
		return again.Reset(m.src, nil)
	}
	m.flate = flate.NewReader(m.src)
	return nil
}

// Flags in the header of a member: the parts that the header has.
const (
	gzipChecksum = 1 << 1
	gzipExtra    = 1 << 2
	gzipName     = 1 << 3
	gzipComment  = 1 << 4
)

// header reads the header of a member. The error is io.EOF if there is none.
func (m *members) header() error {
	var head [10]byte
	for head[0] == 0 {
		b, err := m.src.ReadByte()
		if err != nil {
			return err
		}
		head[0] = b
	}
	if _, err := io.ReadFull(m.src, head[1:]); err != nil || head[0] != 0x1f || head[1] != 0x8b {
		return io.EOF
	}
	flags := head[3]
	if flags&gzipExtra != 0 {
		var size [2]byte
		if _, err := io.ReadFull(m.src, size[:]); err != nil {
			return err
		}
		if err := m.skip(int(size[0]) | int(size[1])<<8); err != nil {
			return err
		}
	}
	for _, part := range []byte{gzipName, gzipComment} {
		for b := byte(1); flags&part != 0 && b != 0; {
			var err error
			if b, err = m.src.ReadByte(); err != nil {
				return err
			}
		}
	}
	if flags&gzipChecksum != 0 {
		return m.skip(2)
	}
	return nil
}

// skip reads n bytes and drops them.
func (m *members) skip(n int) error {
	_, err := io.CopyN(io.Discard, m.src, int64(n))
	return err
}
