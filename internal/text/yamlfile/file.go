package yamlfile

import (
	"errors"
	"io"
	"os"
)

// errIrregular says that a path is no regular file: reading it may never begin or end.
var errIrregular = errors.New("not a regular file")

// ReadFile reads a file up to the size that Parse accepts. A larger file is read just beyond that, so that Parse reports it. Pipes
// and devices are refused: a program that checks its files every second must not wait for one.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if failed := (*os.PathError)(nil); errors.As(err, &failed) {
		return nil, &os.PathError{Op: "open", Path: path, Err: failed.Err}
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return nil, &os.PathError{Op: "open", Path: path, Err: errIrregular}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxSize+1))
}
