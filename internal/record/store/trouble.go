package store

import (
	"fmt"
	"strings"
)

// A trouble is a failure that a person can fix.
type trouble struct{ what, cure string }

// sqlError says in one line which step failed, why, and what can be done about it.
func sqlError(step string, err error) error {
	if t, known := troubleOf(err); known {
		return fmt.Errorf("store: %s: %s (%w); %s", step, t.what, oneLine{err}, t.cure)
	}
	return fmt.Errorf("store: %s: %w", step, oneLine{err})
}

// sqlErrorIf is sqlError for an error that may be nil.
func sqlErrorIf(step string, err error) error {
	if err == nil {
		return nil
	}
	return sqlError(step, err)
}

func troubleOf(err error) (trouble, bool) {
	for _, k := range databaseKinds {
		if t, known := k.trouble(err); known {
			return t, true
		}
	}
	return scanTrouble(err)
}

// scanTrouble recognises values that do not fit their destination. The package sql has no error type for them.
func scanTrouble(err error) (trouble, bool) {
	if err == nil || !strings.Contains(err.Error(), "sql: Scan error on column") {
		return trouble{}, false
	}
	return trouble{"a value of another kind than weir writes: something else changed the store", "run weir audit verify"}, true
}

// oneLine is an error whose text is one line.
type oneLine struct{ error }

func (e oneLine) Error() string { return strings.Join(strings.Fields(e.error.Error()), " ") }
func (e oneLine) Unwrap() error { return e.error }
