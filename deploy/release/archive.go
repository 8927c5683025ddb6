package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// A file is one of an archive. Folders have names that end with a slash.
type file struct {
	name string
	mode int64
	data []byte
	user int // owner and group
}

// tarOf packs files. The result depends on nothing but the arguments.
func tarOf(files []file, at time.Time) ([]byte, error) {
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, f := range files {
		h := &tar.Header{
			Name: f.name, Mode: f.mode, Size: int64(len(f.data)), ModTime: at, Uid: f.user, Gid: f.user,
			Typeflag: tar.TypeReg, Format: tar.FormatUSTAR,
		}
		if f.name[len(f.name)-1] == '/' {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	err := w.Close()
	return buf.Bytes(), err
}

// compressed compresses without a time.
func compressed(data []byte) ([]byte, error) {
	var buf bytes.Buffer
	w, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return buf.Bytes(), err
}

// save writes a file, and its folder.
func save(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// sumOf returns the SHA-256 of a file.
func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func runSums(flags *flag.FlagSet, args []string) error {
	paths, err := parse(flags, args)
	if err != nil {
		return err
	}
	for _, path := range paths {
		sum, err := sumOf(path)
		if err != nil {
			return err
		}
		fmt.Printf("%s  %s\n", sum, filepath.Base(path))
	}
	return nil
}
