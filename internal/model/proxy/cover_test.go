package proxy

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/weir-gate/weir/internal/intake/budget"
	"github.com/weir-gate/weir/internal/weirtest/expect"
	"github.com/weir-gate/weir/internal/weirtest/need"
)

// noise is what cannot be compressed, and has no line that begins like JSON.
func noise(n int) string {
	b := make([]byte, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range b {
		b[i] = 0x80 | byte(r.Uint32())
	}
	return "x" + string(b)
}

// stored is a text under gzip as it is.
func stored(text string) string {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.NoCompression)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

// table has so many bytes of lines.
func table(n int) string { return strings.Repeat("1,some text,2\n", n/14) }

// skipped is a frame of zstd with nothing in it.
func skipped(n int) string {
	return string(binary.LittleEndian.AppendUint32([]byte{0x53, 0x2a, 0x4d, 0x18}, uint32(n))) + strings.Repeat("s", n)
}

// TestCompressedFilesPass checks that what opens to no call passes byte for byte, whatever its size is and what it opens to.
func TestCompressedFilesPass(t *testing.T) {
	need.Long(t)
	l := newLibrary(t)
	for name, file := range map[string]string{
		"21 MB":                    stored(noise(21 << 20)),
		"21 MB, zstd":              zstandard(noise(21 << 20)),
		"opens to 24 MB":           zipped(table(24 << 20)),
		"opens to 24 MB, zstd":     zstandard(table(24 << 20)),
		"twice":                    zipped(zipped(table(1 << 20))),
		"values":                   zipped(strings.Repeat("{\"a\":1}\n", 3<<20)),
		"no gzip":                  "\x1f\x8bnotes on something\n",
		"no gzip, two bytes":       "\x1f\x8b",
		"no gzip, large":           "\x1f\x8b\x08\x00" + noise(20<<20),
		"no gzip inside":           zipped("\x1f\x8bnotes\n"),
		"cut":                      zipped(table(1 << 20))[:1000],
		"behind the end":           zipped("a,b\n") + "more\n",
		"two members":              zipped("a,b\n") + zipped("c,d\n"),
		"zeros":                    zipped("a,b\n") + strings.Repeat("\x00", 1000),
		"zstd behind what to skip": skipped(100) + zstandard("a,b\n"),
		"empty":                    zipped(""),
	} {
		got, status, _ := l.fetch([]byte(file), "application/octet-stream")
		expect.Equal(t, string(got), file, "%s: status %d, got %d of %d bytes: %.200q", name, status, len(got), len(file), got)
		expect.Equal(t, status, http.StatusOK, "%s: status %d, got %d of %d bytes: %.200q", name, status, len(got), len(file), got)
	}
}

// lenient opens gzip as far as it can be.
func lenient(file []byte) string {
	s := &source{src: bytes.NewReader(file), limit: 1 << 30, plain: &counter{}}
	out, _ := io.ReadAll(&members{src: s})
	return string(out)
}

// TestCompressedCallsStay checks that the bytes that complete a call under a cover do not come, wherever it is.
func TestCompressedCallsStay(t *testing.T) {
	need.Long(t)
	row := chatRow("Denied")
	call := "\n" + row + "\n"
	l := newLibrary(t)
	checksum := []byte(zipped(call))
	checksum[len(checksum)-6] ^= 1
	bad := zipped("x")
	bad = bad[:len(bad)-5] + "\xff" + bad[len(bad)-4:]
	header := zipped(call)
	header = header[:3] + "\x02" + header[4:10] + "\x00\x00" + header[10:]
	reserved := zipped(call)
	reserved = reserved[:3] + "\xe0" + reserved[4:]
	for name, file := range map[string]string{
		"at the end":             stored(noise(3<<20) + call),
		"at the end, compressed": zipped(table(24<<20) + call),
		"in the middle":          stored(noise(3<<20) + call + noise(3<<20)),
		"no end of line":         stored(noise(3<<20) + "\n" + row),
		"wrong checksum":         string(checksum),
		"wrong checksum, then":   string(checksum) + zipped("x"),
		"checksum of the header": header,
		"reserved flags":         reserved,
		"second member":          stored(noise(2<<20)) + zipped(call),
		"behind a bad member":    bad + "\x00\x00" + zipped(call),
		"cut behind it":          stored(call + noise(1000))[:len(call)+500],
		"in two covers":          stored(stored(noise(2<<20) + call)),
		"in two, cut":            stored(stored(noise(2<<20) + call + noise(1000)))[:2<<20+len(call)+500],
	} {
		got, status, _ := l.fetch([]byte(file), "application/octet-stream")
		opened := lenient(got)
		if strings.Contains(opened, row) || strings.Contains(lenient([]byte(opened)), row) || string(got) == file {
			t.Errorf("%s: the call is there, status %d", name, status)
		}
		if len(lenient([]byte(file))) < coverLag && status != http.StatusBadRequest {
			t.Errorf("%s: status %d", name, status)
		}
		if len(file) > 2<<20 && len(got) < 1<<20 {
			t.Errorf("%s: only %d bytes came", name, len(got))
		}
	}
}

// TestCompressedFilesRefused checks what is refused because others may open more of it than weir.
func TestCompressedFilesRefused(t *testing.T) {
	need.Long(t)
	l := newLibrary(t)
	raw := func(text string) string { // one block as it is, in a frame of zstd
		n := uint32(len(text))<<3 | 1
		return "\x28\xb5\x2f\xfd\x00\x58" + string([]byte{byte(n), byte(n >> 8), byte(n >> 16)}) + text
	}
	var far bytes.Buffer
	w, _ := zstd.NewWriter(&far, zstd.WithWindowSize(64<<20))
	for range 20 {
		_, _ = io.WriteString(w, noise(1<<20))
	}
	_ = w.Close()
	text := chatRow("Denied") + "\n" + noise(100)
	for name, file := range map[string]string{
		"zstd, call":            raw(text),
		"zstd, cut in a block":  raw(text)[:len(text)-50],
		"zstd, skipped":         skipped(10) + raw(text),
		"zstd, large window":    far.String(),
		"gzip four times":       zipped(zipped(zipped(zipped("a")))),
		"a long value":          zipped("x\n[" + strings.Repeat("1,", 9<<20) + "1]"),
		"a long name":           "\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x00" + strings.Repeat("n", 20<<20),
		"opens to much, inside": zipped(zipped(table(24 << 20))),
		"opens to nothing":      strings.Repeat(zipped(""), 1<<20),
	} {
		if got, status, _ := l.fetch([]byte(file), "application/octet-stream"); status != http.StatusBadRequest {
			t.Errorf("%s: status %d, %d of %d bytes: %.100q", name, status, len(got), len(file), got)
		}
	}
}

// TestCoverIsCounted checks that what a cover holds is counted, and given back.
func TestCoverIsCounted(t *testing.T) {
	l := newLibrary(t, func(c *Config) { c.Budget = budget.New(budget.Config{Total: 64 << 20, Client: 2 << 20}) })
	for name, c := range map[string]struct{ file, want string }{
		"lines":         {stored(noise(8 << 20)), "\x1f\x8b"},
		"a value":       {stored(`x` + "\n" + `["` + noise(4<<20) + `"]`), "over_budget"},
		"a long header": {"\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x00" + strings.Repeat("n", 4<<20), "over_budget"},
		"a window":      {zstandard("a"), "over_budget"},
	} {
		got, status, _ := l.fetch([]byte(c.file), "")
		if !strings.Contains(string(got), c.want) {
			t.Errorf("%s: status %d: %.300q", name, status, got)
		}
		if held := l.door.cfg.Budget.Held(); l.door.cfg.Budget.Used() != 0 {
			t.Errorf("%s: held %v", name, held)
		}
	}
}
