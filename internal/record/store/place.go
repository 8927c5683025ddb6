package store

import (
	"fmt"
	"path/filepath"
)

// Place says where the store of a URL is, in the same words whoever asks: the file itself, or server, database and schema. It has no
// user and no password.
func Place(storeURL string) (string, error) {
	a, err := parseAddress(storeURL)
	if err != nil {
		return "", err
	}
	return a.place(), nil
}

func (a sqliteAddress) place() string {
	path := a.path
	// Also if the file is not there yet: its folder may have another name.
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	} else if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(real, filepath.Base(path))
	}
	return "sqlite://" + filepath.ToSlash(path)
}

func (a postgresAddress) place() string {
	place := fmt.Sprintf("postgres://%s:%d/%s", a.config.Host, a.config.Port, a.config.Database)
	if schema := a.config.RuntimeParams["search_path"]; schema != "" {
		place += "?search_path=" + schema
	}
	return place
}
