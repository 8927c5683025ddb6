// Package job plays clients: it reads a job a line from standard input, has it done with an SDK, and writes what the SDK
// gave as a line of JSON. Progress is written as it happens.
package job

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
)

// A Job is a conversation to have, and what came of it.
type Job struct {
	Kind    string            `json:"kind"`
	BaseURL string            `json:"base_url"`
	APIKey  string            `json:"api_key"`
	Headers map[string]string `json:"headers"`
	Model   string            `json:"model"`
	Prompt  string            `json:"prompt"`
	Padding int               `json:"padding"`
	Retries *int              `json:"retries"` // nil: as the SDK has it
	Tools   json.RawMessage   `json:"tools"`
	Options Options           `json:"options"`
	State   json.RawMessage   `json:"state"` // that another job left; nil: none

	result result
	told   map[string]bool
}

// Options are what a scene asks of the client beyond a conversation of two turns.
type Options struct {
	Steps   []string                   `json:"steps"`
	Chain   string                     `json:"chain"`
	Request map[string]json.RawMessage `json:"request"` // more members of every request
	Alt     string                     `json:"alt"`     // the form of answer that the address asks for; "": none
}

type result struct {
	Turns     []turn            `json:"turns"`
	Executed  []execution       `json:"executed"`
	Responses []response        `json:"responses"`
	Events    []json.RawMessage `json:"events"`
	Error     *Raised           `json:"error"`
	State     any               `json:"state,omitempty"`
}

type turn struct {
	Turn  any   `json:"turn"`
	Usage usage `json:"usage"`
}

type usage struct {
	Input  int64 `json:"input"`
	Output int64 `json:"output"`
}

type execution struct {
	Name  string `json:"name"`
	Input any    `json:"input"`
}

type response struct {
	Status  int    `json:"status"`
	Request string `json:"request"`
}

// Raised is an error of an SDK.
type Raised struct {
	Name    string `json:"name"`
	Status  int    `json:"status"`
	Type    string `json:"type"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Serve does the jobs that come, each by the function of its kind. describe says what an error of the SDK tells.
func Serve(kinds map[string]func(*Job) error, describe func(error) Raised) {
	for in := bufio.NewReader(os.Stdin); ; {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return // there is nothing more to do
		}
		j := &Job{told: map[string]bool{}}
		if err := json.Unmarshal(line, j); err != nil {
			fmt.Fprintln(os.Stderr, "read job:", err)
			os.Exit(1)
		}
		j.Prompt += strings.Repeat("x", j.Padding)
		if err := kinds[j.Kind](j); err != nil {
			raised := describe(err)
			raised.Name = fmt.Sprintf("%T", err)
			if raised.Message == "" {
				raised.Message = err.Error()
			}
			j.result.Error = &raised
		}
		write(map[string]any{"result": j.result})
	}
}

func write(line any) {
	if err := json.NewEncoder(os.Stdout).Encode(line); err != nil {
		fmt.Fprintln(os.Stderr, "write:", err)
		os.Exit(1)
	}
}

// Progress tells of progress, once of each sort.
func (j *Job) Progress(what string) {
	if !j.told[what] {
		write(map[string]string{"progress": what})
	}
	j.told[what] = true
}

// Turn notes a turn of the model.
func (j *Job) Turn(said any, input, output int64) {
	j.result.Turns = append(j.result.Turns, turn{said, usage{input, output}})
}

// Leave notes what the next job goes on from.
func (j *Job) Leave(state any) { j.result.State = state }

// Event notes an event that was read from a stream.
func (j *Job) Event(raw string) { j.result.Events = append(j.result.Events, json.RawMessage(raw)) }

// Execute runs a call, which here means to note it.
func (j *Job) Execute(name string, input any) string {
	j.result.Executed = append(j.result.Executed, execution{name, input})
	return "done"
}

// HTTPClient notes every response below the SDK, so that retries show too.
func (j *Job) HTTPClient() *http.Client { return &http.Client{Transport: noting{j}} }

type noting struct{ job *Job }

// RoundTrip implements http.RoundTripper.
func (n noting) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		seen := response{answer.StatusCode, answer.Header.Get("X-Weir-Request-Id")}
		n.job.result.Responses = append(n.job.result.Responses, seen)
	}
	return answer, err
}
