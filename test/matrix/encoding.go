package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// A compressor gives out all that it has when it is flushed.
type compressor interface {
	io.WriteCloser
	Reset(io.Writer)
	Flush() error
}

// An encoding is what an upstream does to a body, and how it says so.
type encoding struct {
	name   string
	header string       // "": none
	layers []*sync.Pool // of compressors, which are expensive to make
}

var encodings = []encoding{
	{name: "identity"},
	{name: "gzip", header: "gzip", layers: layers(gzips)},
	{name: "deflate", header: "deflate", layers: layers(pool(func() (compressor, error) { return zlib.NewWriterLevel(nil, 1) }))},
	{name: "deflate, bare", header: "deflate", layers: layers(pool(func() (compressor, error) { return flate.NewWriter(nil, 1) }))},
	{name: "br", header: "br", layers: layers(pool(func() (compressor, error) { return brotli.NewWriterLevel(nil, 1), nil }))},
	{name: "zstd", header: "zstd", layers: layers(pool(func() (compressor, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(zstd.MinWindowSize),
			zstd.WithEncoderLevel(zstd.SpeedFastest))
	}))},
	{name: "gzip twice", header: "gzip, gzip", layers: layers(gzips, gzips)},
}

var gzips = pool(func() (compressor, error) { return gzip.NewWriterLevel(nil, 1) })

func layers(list ...*sync.Pool) []*sync.Pool { return list }

func pool(open func() (compressor, error)) *sync.Pool {
	return &sync.Pool{New: func() any {
		c, err := open()
		if err != nil {
			panic(err) // the settings are constants, and tested
		}
		return c
	}}
}

// encode encodes a body that is given in parts, such that each part can be read when its bytes have come.
func (e *encoding) encode(parts []string) ([][]byte, error) {
	var out bytes.Buffer
	var stack []compressor // the first one takes the body
	var w io.Writer = &out
	for _, layer := range slices.Backward(e.layers) {
		c := layer.Get().(compressor)
		defer layer.Put(c)
		c.Reset(w)
		stack = append([]compressor{c}, stack...)
		w = c
	}
	var list [][]byte
	for i, part := range parts {
		if _, err := io.WriteString(w, part); err != nil {
			return nil, fmt.Errorf("encode as %s: %w", e.name, err)
		}
		for _, c := range stack {
			end := c.Flush
			if i == len(parts)-1 {
				end = c.Close
			}
			if err := end(); err != nil {
				return nil, fmt.Errorf("encode as %s: %w", e.name, err)
			}
		}
		list = append(list, bytes.Clone(out.Bytes()))
		out.Reset()
	}
	return list, nil
}

// decoders open what a content encoding names.
var decoders = map[string]func(io.Reader) (io.Reader, error){
	"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	"br":   func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
	"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) },
	"deflate": func(r io.Reader) (io.Reader, error) {
		body, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		if z, err := zlib.NewReader(bytes.NewReader(body)); err == nil {
			return z, nil
		}
		return flate.NewReader(bytes.NewReader(body)), nil
	},
}

// decode undoes the encodings that a header names.
func decode(body []byte, header string) ([]byte, error) {
	names := strings.Split(header, ",")
	for i := len(names) - 1; i >= 0; i-- {
		name := strings.TrimSpace(names[i])
		if name == "" {
			continue
		}
		open := decoders[name]
		if open == nil {
			return nil, fmt.Errorf("decode: %q is not known", name)
		}
		r, err := open(bytes.NewReader(body))
		if err == nil {
			body, err = io.ReadAll(r)
		}
		if err != nil {
			return nil, fmt.Errorf("decode %s: %w", name, err)
		}
	}
	return body, nil
}
