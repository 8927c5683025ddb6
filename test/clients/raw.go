package clients

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// readRaw asks as a client without an SDK does, and keeps the JSON of every event or line, which it does not understand.
func readRaw(t *testing.T, j job, k Kind, tr Trial) result[Fold] {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, j.BaseURL+tr.Path, strings.NewReader(tr.Asks))
	expect.OK(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(stageHeader, tr.Name)
	resp, err := http.DefaultClient.Do(request)
	expect.OK(t, err)
	defer resp.Body.Close() // it was read
	text, _ := io.ReadAll(resp.Body)
	var got result[Fold]
	got.Responses = []response{{resp.StatusCode, resp.Header.Get("X-Weir-Request-Id")}}
	got.Turns = make([]seen[Fold], 1)
	for line := range bytes.Lines(text) {
		data := jsontext.Value(bytes.TrimSpace(bytes.TrimPrefix(line, []byte("data:"))))
		if len(data) > 0 && data[0] == '{' && data.IsValid() {
			got.Turns[0].Turn.Events = append(got.Turns[0].Turn.Events, data)
		}
	}
	return got
}
