package excerpt

import (
	"context"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/query"
)

// used is what a response used, or a part of that.
type used struct {
	InputTokens  int64 `json:"input_tokens"` // without cached tokens
	CacheTokens  int64 `json:"cache_tokens"`
	OutputTokens int64 `json:"output_tokens"`
	CostMicros   int64 `json:"cost_usd_micros"`
}

// A Share is a call's part of what its response used. All calls of a response have the same share, rounded down, as in statistics.
type Share struct {
	used
	Calls    int64 `json:"calls"`    // of the response
	Response used  `json:"response"` // what was divided
}

// Shares finds the shares of calls. Calls of one response are mostly adjacent, so the last response is remembered.
type Shares struct {
	Record  query.Source
	request string
	numbers record.Numbers
}

// Of returns the share of a call; nil: it has none, or its response has not ended.
func (s *Shares) Of(ctx context.Context, e record.Entry) (*Share, error) {
	asked := e.Type.IsAsked()
	if !asked || e.Within != "" || e.Surface != string(call.Response) || e.RequestID == "" {
		return nil, nil
	}
	if s.request != e.RequestID {
		n, err := ResponseOf(ctx, s.Record, e.RequestID)
		if err != nil {
			return nil, err
		}
		s.request, s.numbers = e.RequestID, n
	}
	n := s.numbers
	if n.Calls == 0 {
		s.request = "" // it may end while calls are followed
		return nil, nil
	}
	return &Share{
		used:     used{n.InputTokens / n.Calls, n.CacheTokens / n.Calls, n.OutputTokens / n.Calls, n.CostMicros / n.Calls},
		Calls:    n.Calls,
		Response: used{n.InputTokens, n.CacheTokens, n.OutputTokens, n.CostMicros},
	}, nil
}

// ResponseOf returns what the response to a request used, and where its time went; zero if it has not ended.
func ResponseOf(ctx context.Context, r query.Source, request string) (record.Numbers, error) {
	done, _, err := query.First(ctx, r, query.Filter{RequestID: request, Type: record.Types.ResponseDone})
	return done.Numbers, err
}
