// Package need gets what a test needs beyond Go, and says so where that cannot be had.
package need

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// skipsVar names the file that collects what could not be tested, a line each: what, a tab, why.
const skipsVar = "WEIR_SKIPS"

// Missing ends a test that cannot run on this machine, and notes what is not tested and why. Where everything is
// required (WEIR_REQUIRE=all) the test fails, else it is skipped.
func Missing(t testing.TB, what, why string) {
	t.Helper()
	if err := note(os.Getenv(skipsVar), what, why); err != nil {
		t.Fatalf("note that %s is not tested: %v", what, err)
	}
	if os.Getenv("WEIR_REQUIRE") == "all" {
		t.Fatalf("%s cannot be tested here: %s", what, why)
	}
	t.Skipf("%s cannot be tested here: %s", what, why)
}

// Long leaves a test out where only a short look is wanted (go test -short).
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes too long for a short look")
	}
}

// Cases is how many of n cases that are made up a test tries: all of them, or a tenth where only a short look is wanted.
func Cases(n uint64) uint64 {
	if testing.Short() {
		return (n + 9) / 10
	}
	return n
}

// seedsVar is how many seeds a fuzz target begins from at most; "": from all.
const seedsVar = "WEIR_SEEDS"

// Seeds are those of its seeds that a fuzz target begins from: all of them, or some, others each time, where it is fuzzed for a
// moment. That would be over before the fuzzer has run all of them. They are all run as a test.
func Seeds[T any](all []T) []T {
	most, err := strconv.Atoi(os.Getenv(seedsVar))
	if err != nil || len(all) <= most {
		return all
	}
	some := slices.Clone(all)
	rand.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	return some[:most]
}

// note appends a row to the file at path; "": nowhere.
func note(path, what, why string) error {
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	// One write, so that rows of tests that run at the same time do not mix.
	_, err = fmt.Fprintf(file, "%s\t%s\n", oneLine(what), oneLine(why))
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// oneLine keeps a cell of a tab-separated table in its place.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// program returns the path of a program, or ends the test. what is what cannot be tested without it.
func program(t testing.TB, name, what string) string {
	t.Helper()
	Long(t) // what it is for starts other programs
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, what, name+" is not installed")
	}
	return path
}
