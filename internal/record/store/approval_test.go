package store

import (
	"testing"

	"github.com/weir-gate/weir/internal/approval"
	"github.com/weir-gate/weir/internal/approval/approvaltest"
	"github.com/weir-gate/weir/internal/record/store/storetest"
)

func TestApprovalContract(t *testing.T) {
	for name := range storetest.Databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			approvaltest.Run(t, func(t *testing.T) approvaltest.Backend {
				url := upgraded(t, name)
				return approvaltest.Backend{
					Store: openURL(t, url),
					Again: func(t *testing.T) approval.Store { return openURL(t, url) },
				}
			})
		})
	}
}

// TestApprovalChanged reads a row that something else has changed: it says so, and takes it for no yes.
func TestApprovalChanged(t *testing.T) {
	for _, query := range []string{
		`UPDATE approvals SET body = replace(body, '"version":0', '"version":1')`,
		"UPDATE approvals SET body = '{}'",
		"UPDATE approvals SET body = 'x'",
	} {
		s := openURL(t, upgraded(t, "sqlite"))
		if _, err := s.OpenApproval(t.Context(), approvaltest.Request("a"), 50); err != nil {
			t.Fatal(err)
		}
		if _, err := s.write.Exec(query); err != nil {
			t.Fatal(err)
		}
		_, err := s.Approvals(t.Context(), approval.Filter{})
		wantError(t, query, err, "a row of approvals is not as it was written")
		_, err = s.OpenApproval(t.Context(), approvaltest.Request("a"), 50)
		wantError(t, query, err, "a row of approvals is not as it was written")
	}
}
