package recordlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Names returns the names of the logs in a folder of logs. There are none if the folder does not exist.
func Names(folder string) ([]string, error) {
	found, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("record log: %w", err)
	}
	var names []string
	for _, e := range found {
		if e.IsDir() && !strings.HasPrefix(e.Name(), newBegins) && !strings.HasPrefix(e.Name(), DamagedBegins) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}
