// Package port reserves ports of loopback for tests.
package port

import (
	"fmt"
	"testing"
)

// Reserve returns an address of loopback whose port the system gives to nobody else before the test ends. It refuses connections,
// except while somebody listens exactly there: a program that is told the address, or one that was and ended.
// A port that was only found free may be that of another process a moment later.
func Reserve(t testing.TB) string {
	t.Helper()
	address, release, err := Hold()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release)
	return address
}

// Hold is Reserve for what is no test. The address is reserved until it is released, or the process ends.
func Hold() (address string, release func(), err error) {
	port, release, err := bind()
	if err != nil {
		return "", nil, fmt.Errorf("reserve a port: %w", err)
	}
	return fmt.Sprintf("127.0.0.1:%d", port), release, nil
}
