package need

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestWeirAtHand takes the weir that WEIR_BIN names, and does not build another where that one is missing.
func TestWeirAtHand(t *testing.T) {
	path := filepath.Join(t.TempDir(), "weir")
	t.Setenv(weirVar, path)
	if got, err := WeirIn(t.TempDir()); err == nil || !strings.Contains(err.Error(), weirVar) {
		t.Errorf("it is %q, and the error %v", got, err)
	}
	write(t, path, []byte("#!/bin/sh\n"))
	if got := Weir(t); got != path {
		t.Errorf("it is %s, not %s", got, path)
	}
}
