package keeping

import (
	"net/http"

	"github.com/go-json-experiment/json"

	"github.com/weir-gate/weir/internal/weirtest/scripted"
)

// A Fault is an error of the API.
type Fault struct {
	Status               int
	Message, Param, Code string // Param and Code: "" is null
}

func badRequest(param, message string) *Fault {
	return &Fault{Status: http.StatusBadRequest, Message: message, Param: param}
}

func notFound(message string) *Fault { return &Fault{Status: http.StatusNotFound, Message: message} }

func (f *Fault) Error() string { return f.Message }

// answer is the fault as the API tells it.
func (f *Fault) answer() scripted.Answer {
	type detail struct {
		Message string  `json:"message"`
		Type    string  `json:"type"`
		Param   *string `json:"param"`
		Code    *string `json:"code"`
	}
	d := detail{Message: f.Message, Type: "invalid_request_error", Param: orNull(f.Param), Code: orNull(f.Code)}
	return body(f.Status, struct {
		Error detail `json:"error"`
	}{d})
}

// orNull is a text that is null where there is none.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// body is an answer in JSON.
func body(status int, v any) scripted.Answer {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // what is marshalled here was read from JSON or is written in this package
	}
	return scripted.Answer{
		Status: status, Header: http.Header{"Content-Type": {"application/json"}},
		Steps: []scripted.Step{scripted.Write(data)},
	}
}
