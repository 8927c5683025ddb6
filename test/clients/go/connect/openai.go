// Package connect has clients of the official Go SDK for OpenAI's APIs do what a job says.
package connect

import (
	"errors"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/weir-gate/weir/test/clients/go/job"
)

// OpenAI is a client for a job.
func OpenAI(j *job.Job, more ...option.RequestOption) openai.Client {
	options := append([]option.RequestOption{
		option.WithBaseURL(j.BaseURL + "/v1"), option.WithAPIKey(j.APIKey), option.WithHTTPClient(j.HTTPClient()),
	}, more...)
	for name, value := range j.Headers {
		options = append(options, option.WithHeader(name, value))
	}
	if j.Retries != nil {
		options = append(options, option.WithMaxRetries(*j.Retries))
	}
	return openai.NewClient(options...)
}

// Describe says what an error of the SDK tells.
func Describe(err error) job.Raised {
	var api *openai.Error
	if !errors.As(err, &api) {
		return job.Raised{}
	}
	return job.Raised{Status: api.StatusCode, Type: api.Type, Code: api.Code, Message: api.Message}
}
