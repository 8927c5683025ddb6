// Command geminiraw plays a client of the Gemini API that has no SDK: it asks for the stream as an array that grows, and
// gives its key in the address.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/weir-gate/weir/test/clients/go/job"
)

func main() {
	job.Serve(map[string]func(*job.Job) error{"raw-array": converse}, describe)
}

type object = map[string]any

// A response is one, or an element of one.
type response struct {
	Candidates []struct {
		Content struct {
			Parts []json.RawMessage `json:"parts"`
		} `json:"content"`
		FinishReason  string `json:"finishReason"`
		FinishMessage string `json:"finishMessage"`
		Index         int    `json:"index"`
	} `json:"candidates"`
	PromptFeedback struct {
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
	UsageMetadata struct {
		Input  int64 `json:"promptTokenCount"`
		Output int64 `json:"candidatesTokenCount"`
	} `json:"usageMetadata"`
	Error *failure `json:"error"`
}

// A failure is an error of the API.
type failure struct {
	Code    int    `json:"code"`
	Status  string `json:"status"`
	Message string `json:"message"`
}

// Error implements error.
func (f *failure) Error() string { return f.Message }

// converse asks twice, the second time with the history that the first answer left.
func converse(j *job.Job) error {
	contents := []object{{"role": "user", "parts": []any{object{"text": j.Prompt}}}}
	for range 2 {
		t := &turn{}
		if err := ask(j, contents, t); err != nil {
			return err
		}
		j.Turn(object{"candidates": t.candidates, "blocked": t.blocked}, t.input, t.output)
		if len(t.parts) > 0 {
			contents = append(contents, object{"role": "model", "parts": t.parts})
		}
		contents = append(contents, object{"role": "user", "parts": t.answers(j)})
	}
	return nil
}

func ask(j *job.Job, contents []object, t *turn) error {
	body, err := json.Marshal(object{"contents": contents, "tools": []any{object{"functionDeclarations": j.Tools}}})
	if err != nil {
		return err
	}
	query := url.Values{"key": {j.APIKey}}
	if j.Options.Alt != "" {
		query.Set("alt", j.Options.Alt)
	}
	address := j.BaseURL + "/v1beta/models/" + j.Model + ":streamGenerateContent?" + query.Encode()
	request, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	for name, value := range j.Headers {
		request.Header.Set(name, value)
	}
	answer, err := j.HTTPClient().Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close() //nolint:errcheck // it was read as far as it goes
	if answer.StatusCode != http.StatusOK {
		return failureOf(answer.Body)
	}
	return read(answer.Body, func(raw json.RawMessage) error { return t.add(j, raw) })
}

// failureOf reads an error, which stands in an array.
func failureOf(r io.Reader) error {
	var list []response
	err := json.NewDecoder(r).Decode(&list)
	if err != nil || len(list) != 1 || list[0].Error == nil {
		return fmt.Errorf("an error is not one in an array: %v, %w", list, err)
	}
	return list[0].Error
}

// read takes the elements of an array as they come.
func read(r io.Reader, take func(json.RawMessage) error) error {
	d := json.NewDecoder(r)
	first, err := d.Token()
	if err != nil {
		return err
	}
	if first != json.Delim('[') {
		return fmt.Errorf("an array begins with %v", first)
	}
	for d.More() {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		if err := take(raw); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return err // the array has no end
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the array")
	}
	return nil
}

func describe(err error) job.Raised {
	var f *failure
	if !errors.As(err, &f) {
		return job.Raised{}
	}
	return job.Raised{Status: f.Code, Type: f.Status, Message: f.Message}
}
