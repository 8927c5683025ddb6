package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"google.golang.org/genai"

	"github.com/weir-gate/weir/test/clients/go/job"
)

// A failure is an element of an array that tells of an error.
type failure struct {
	Error *genai.APIError `json:"error"`
}

// raw asks without the SDK: for the stream as an array, with the key in the address.
func raw(j *job.Job, _ *genai.Client, contents []*genai.Content, config *genai.GenerateContentConfig) (*turn, error) {
	body, err := json.Marshal(map[string]any{"contents": contents, "tools": config.Tools})
	if err != nil {
		return nil, err
	}
	query := url.Values{"key": {j.APIKey}}
	if j.Options.Alt != "" {
		query.Set("alt", j.Options.Alt)
	}
	address := j.BaseURL + "/v1beta/models/" + j.Model + ":streamGenerateContent?" + query.Encode()
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header = headers(j)
	request.Header.Set("Content-Type", "application/json")
	answer, err := j.HTTPClient().Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close() // it was read as far as it goes
	if answer.StatusCode != http.StatusOK {
		var list []failure
		if err := json.NewDecoder(answer.Body).Decode(&list); err != nil || len(list) != 1 || list[0].Error == nil {
			return nil, fmt.Errorf("an error is not one in an array: %v, %w", list, err)
		}
		return nil, *list[0].Error
	}
	t := &turn{}
	return t, read(answer.Body, func(text json.RawMessage) error {
		var failed failure
		var response genai.GenerateContentResponse
		if err := errors.Join(json.Unmarshal(text, &failed), json.Unmarshal(text, &response)); err != nil {
			return err
		}
		if failed.Error != nil {
			return *failed.Error
		}
		j.Event(string(text))
		t.add(&response, j.Progress)
		return nil
	})
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
		var text json.RawMessage
		if err := d.Decode(&text); err != nil {
			return err
		}
		if err := take(text); err != nil {
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
