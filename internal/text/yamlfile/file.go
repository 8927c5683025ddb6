package yamlfile

import (
	"errors"
	"io"
	"os"
)

// errIrregular says that a path names something that may have no end, or no beginning.
var errIrregular = errors.New("not a regular file")

// ReadFile reads a file as far as Parse would take it: one that is larger is read up to just past the bound, and Parse
// says so. Pipes and devices are refused: a program that looks at its files every second must not wait for one.
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
