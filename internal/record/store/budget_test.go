package store

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/policy/limit"
)

// TestSpendsAreKeptLongEnough: a budget must find all that it looks back to.
func TestSpendsAreKeptLongEnough(t *testing.T) {
	if spendsKept <= limit.MaxWindow {
		t.Errorf("spends are kept for %v, and budgets look back %v", spendsKept, limit.MaxWindow)
	}
}

// TestBudgetPlans pins that neither reading nor forgetting looks at all that was ever spent.
func TestBudgetPlans(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "weir.db"))
	for name, plan := range map[string]string{
		"read":   explain(t, s, selectSpends, 1),
		"forget": explain(t, s, forgetSpends, 1),
	} {
		if !strings.Contains(plan, "budgets_minute") || strings.Contains(plan, "SCAN") {
			t.Errorf("%s: plan %s", name, plan)
		}
	}
}

// TestSpendsThatWereChanged fails on a scope that nobody could have written.
func TestSpendsThatWereChanged(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "weir.db"))
	if _, err := s.write.Exec(addSpend, "k", `"broken`, 1, 1); err != nil {
		t.Fatal(err)
	}
	_, err := s.Spends(t.Context(), time.Unix(0, 0))
	wantError(t, "Spends", err, "a text is not as it was written")
}
