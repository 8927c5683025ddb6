package frame

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// endless hands out the same frames over and over, as many as fit one read.
type endless []byte

func (e endless) Read(p []byte) (int, error) {
	n := copy(p, e)
	if n == 0 {
		return 0, io.ErrShortBuffer
	}
	return n, nil
}

func BenchmarkSSE(b *testing.B) {
	const text = "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"%s\"}}\n\n"
	ascii := fmt.Sprintf(text, "and then it went")
	streams := []struct{ name, frame string }{
		{"ascii", ascii},
		{"crlf", strings.ReplaceAll(ascii, "\n", "\r\n")},
		{"japanese", fmt.Sprintf(text, "そして行った")},
		{"reframed", strings.ReplaceAll(ascii, "data: ", "data:")},
	}
	for _, st := range streams {
		// Sixteen frames a read is what arrives when a stream is as fast as it can be.
		src := endless(bytes.Repeat([]byte(st.frame), 16))
		b.Run(fmt.Sprintf("%s/%dB", st.name, len(st.frame)), func(b *testing.B) {
			s := NewSSE(src, 0)
			defer s.Release()
			out := make([]byte, 0, readSize)
			b.SetBytes(int64(len(st.frame)))
			b.ReportAllocs()
			for b.Loop() {
				f, err := s.Next()
				if err != nil {
					b.Fatal(err)
				}
				out = s.Append(out[:0], f)
			}
		})
	}
}

// The other framings, as fast as they can come.
func BenchmarkLines(b *testing.B) {
	const line = `{"model":"qwen3:8b","created_at":"2026-11-01T10:00:00Z","message":{"role":"assistant","content":"and then"},"done":false}` + "\n"
	benchmarkStream(b, newLines(endless(strings.Repeat(line, 16))), len(line))
}

func BenchmarkArray(b *testing.B) {
	element := `,{"candidates":[{"content":{"parts":[{"text":"and then it went"}],"role":"model"},"index":0}],"modelVersion":"g"}` + "\r\n"
	src := io.MultiReader(strings.NewReader("[{}"), endless(strings.Repeat(element, 16)))
	benchmarkStream(b, newArray(src), len(element))
}

func benchmarkStream(b *testing.B, s Stream, size int) {
	out := make([]byte, 0, readSize)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		f, err := s.Next()
		if err != nil {
			b.Fatal(err)
		}
		out = s.Append(out[:0], f)
	}
}
