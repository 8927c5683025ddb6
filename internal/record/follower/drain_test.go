package follower

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recordtest"
)

// left leaves a log with so many events, of which the store has some, as a process that was killed does.
func left(t *testing.T, folder string, s *strict, events, stored int) (log string, want []string) {
	t.Helper()
	l := newLog(t, folder)
	head := record.NewChain()
	want = names(head.Chain+" ", events)
	entries := chained(t, &head, want...)
	for i := range entries {
		if err := l.Append(t.Context(), entries[i:i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Append(t.Context(), entries[:stored]); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(false); err != nil {
		t.Fatal(err)
	}
	return l.Folder(), want
}

// TestDrain: what killed processes left is stored once, wherever they were, and whatever fails meanwhile.
func TestDrain(t *testing.T) {
	for _, fails := range []int{0, 1, 2} {
		for _, stored := range []int{0, 1, 39, 40} {
			s, folder := &strict{}, filepath.Join(t.TempDir(), "log")
			_, first := left(t, folder, s, 40, stored)
			_, second := left(t, folder, s, 3, 0)
			live := newLog(t, folder)
			for n := range fails {
				s.Before = func([]record.Entry) (bool, error) { return n == 0, recordtest.ErrDisk }
				if _, err := Drain(t.Context(), s, folder); !errors.Is(err, recordtest.ErrDisk) && stored < 40 {
					t.Errorf("a store that fails: %v", err)
				}
			}
			s.Before = nil
			for range 2 {
				d, err := Drain(t.Context(), s, folder)
				if err != nil || len(d.Troubles) > 0 || len(d.Live) != 1 || d.Live[0] != live.Folder() {
					t.Fatalf("%+v, %v", d, err)
				}
			}
			got := map[string]int{}
			for _, tool := range tools(s.Stored) {
				got[tool]++
			}
			want := map[string]int{}
			for _, tool := range append(first, second...) {
				want[tool] = 1
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%d failures, %d stored (-want +got):\n%s", fails, stored, diff)
			}
			if names, err := os.ReadDir(folder); err != nil || len(names) != 1 {
				t.Errorf("after that the folder has %v, %v", names, err)
			}
			if err := live.Close(true); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestDrainDamaged: what comes before the damage is stored, and the log is kept.
func TestDrainDamaged(t *testing.T) {
	s, folder := &strict{}, filepath.Join(t.TempDir(), "log")
	log, want := left(t, folder, s, 100, 0)
	segments, err := filepath.Glob(filepath.Join(log, "*.wlog"))
	if err != nil || len(segments) < 3 {
		t.Fatalf("%q, %v", segments, err)
	}
	data, err := os.ReadFile(segments[1])
	if err != nil {
		t.Fatal(err)
	}
	data[5000] ^= 4
	if err := os.WriteFile(segments[1], data, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := Drain(t.Context(), s, folder)
	if err != nil || len(d.Troubles) != 1 {
		t.Fatalf("%+v, %v", d, err)
	}
	n := len(s.Stored)
	if n == 0 || n >= 100 || fmt.Sprint(tools(s.Stored)) != fmt.Sprint(want[:n]) {
		t.Errorf("%d are stored", n)
	}
	kept, err := filepath.Glob(filepath.Join(folder, "damaged-*", "*.wlog"))
	if err != nil || len(kept) != len(segments) {
		t.Errorf("kept: %q, %v", kept, err)
	}
	if d, err = Drain(t.Context(), s, folder); err != nil || len(d.Troubles) > 0 {
		t.Errorf("again: %+v, %v", d, err)
	}
}

// TestDrainIntoAnother: a log whose beginning the store does not have is set aside.
func TestDrainIntoAnother(t *testing.T) {
	s, folder := &strict{}, filepath.Join(t.TempDir(), "log")
	left(t, folder, s, 10, 5)
	s.Restore(2)
	// The log still has all, so nothing is missing.
	if d, err := Drain(t.Context(), s, folder); err != nil || len(d.Troubles) > 0 || len(s.Stored) != 10 {
		t.Errorf("%+v, %v; %d are stored", d, err, len(s.Stored))
	}
	log, _ := left(t, folder, s, 200, 200)
	segments, err := filepath.Glob(filepath.Join(log, "*.wlog"))
	if err != nil {
		t.Fatal(err)
	}
	s.Restore(0)
	if err := os.Remove(segments[0]); err != nil {
		t.Fatal(err)
	}
	d, err := Drain(t.Context(), s, folder)
	var aside *SetAside
	if err != nil || len(d.Troubles) == 0 || !errors.As(d.Troubles[0], &aside) || len(s.Stored) != 0 {
		t.Fatalf("%+v, %v; %d are stored", d, err, len(s.Stored))
	}
	if _, err := os.Stat(aside.Path); err != nil {
		t.Error(err)
	}
}
