package dialect_test

import (
	"net/http"
	"testing"

	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
)

func TestWants(t *testing.T) {
	for body, want := range map[string]struct{ events, rows frame.Framing }{
		`{"stream":true}`:                            {frame.Events, frame.Rows},
		`{"a":{"stream":true}}`:                      {frame.Whole, frame.Rows},
		`{"a":[1,{"b":null}],"stream": true ,"c":1}`: {frame.Events, frame.Rows},
		`{"stream":false}`:                           {frame.Whole, frame.Whole},
		`{"stream":null}`:                            {frame.Whole, frame.Rows},
		`{"stream":"true"}`:                          {frame.Whole, frame.Whole},
		`{"stream":true`:                             {frame.Events, frame.Rows},
		`[{"stream":true}]`:                          {frame.Whole, frame.Rows},
		``:                                           {frame.Whole, frame.Rows},
		`{"stream":false,"stream":true}`:             {frame.Events, frame.Rows},
		"{\"\\u0073tream\":true}":                    {frame.Events, frame.Rows},
	} {
		if got, err := dialect.WantsEvents(&http.Request{}, []byte(body)); got != want.events || err != nil {
			t.Errorf("WantsEvents(%s) = %v, %v", body, got, err)
		}
		if got, err := dialect.WantsRows(&http.Request{}, []byte(body)); got != want.rows || err != nil {
			t.Errorf("WantsRows(%s) = %v, %v", body, got, err)
		}
	}
}
