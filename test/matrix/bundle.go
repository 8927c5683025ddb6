package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/model/wire"
)

// A bundle is an endpoint whose answers hold whole messages of a format: results of batches, line by line, or what was kept.
type bundle struct {
	method  string // "": GET
	path    string
	builtIn string
	below   string // as in endpoint
	mode    mode
	// rows are what stands around a message, and beside it: lines, or one body. %s is the message.
	rows []string
	// find returns the messages in a row; none if it holds none.
	find func(row []byte) ([][]byte, error)
	// message is what is rendered of a turn's body; nil: all of it.
	message func(body string) string
}

// endpoint is where the bundle is served. The kit is that of its format.
func (b bundle) endpoint(kit *wire.Kit) endpoint {
	fill := func(row string, t turn) string {
		body := kit.Whole(t.said())
		if b.message != nil {
			body = b.message(body)
		}
		return strings.Replace(row, "%s", body, 1)
	}
	return endpoint{
		method: cmp.Or(b.method, http.MethodGet), path: b.path, builtIn: b.builtIn, below: b.below, modes: []mode{b.mode},
		stream: func(t turn) []piece {
			var list []piece
			for _, row := range b.rows {
				list = append(list, piece{data: fill(row, t)})
			}
			return list
		},
		body: func(t turn) string { return fill(b.rows[0], t) },
		messages: func(answer []byte) ([][]byte, error) {
			if b.mode == whole {
				return b.find(bytes.TrimPrefix(answer, []byte(byteOrderMark)))
			}
			return b.inLines(answer)
		},
	}
}

// of is the same bundle, asked for by another method.
func (b bundle) of(method string) bundle {
	b.method = method
	return b
}

// inLines finds the messages in lines, all of which must be there.
func (b bundle) inLines(answer []byte) ([][]byte, error) {
	rest, ended := bytes.CutSuffix(answer, []byte("\n"))
	rows := bytes.Split(rest, []byte("\n"))
	switch {
	case !ended:
		return nil, errors.New("the last line has no end")
	case len(rows) != len(b.rows):
		return nil, fmt.Errorf("%d lines came, and %d were sent", len(rows), len(b.rows))
	}
	var list [][]byte
	for i, row := range rows {
		if !jsontext.Value(row).IsValid() {
			return nil, fmt.Errorf("line %d is no JSON", i)
		}
		found, err := b.find(row)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i, err)
		}
		list = append(list, found...)
	}
	return list, nil
}

// at finds what stands in JSON at a place: names of members, "*" for all elements of an array. Where there is nothing, it
// finds nothing.
func at(place ...string) func([]byte) ([][]byte, error) {
	return func(row []byte) ([][]byte, error) { return findAt(row, place) }
}

func findAt(v []byte, place []string) ([][]byte, error) {
	if len(place) == 0 {
		return [][]byte{v}, nil
	}
	if place[0] != "*" {
		var members map[string]jsontext.Value
		if jsontext.Value(v).Kind() != '{' {
			return nil, nil
		}
		if err := read(v, &members); err != nil || members[place[0]] == nil {
			return nil, err
		}
		return findAt(members[place[0]], place[1:])
	}
	var elements []jsontext.Value
	if err := read(v, &elements); err != nil {
		return nil, err
	}
	var list [][]byte
	for _, e := range elements {
		found, err := findAt(e, place[1:])
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// batchResults are those of Anthropic's batches.
var batchResults = bundle{
	path: "/v1/messages/batches/msgbatch_1/results", builtIn: "anthropic", mode: lines,
	rows: []string{
		`{"custom_id":"first","result":{"type":"expired"}}`,
		`{"custom_id":"second","result":{"type":"succeeded","message":%s}}`,
		`{"custom_id":"third","result":{"type":"errored","error":{"type":"error","error":{"type":"api_error","message":"no"}}}}`,
	},
	find: at("result", "message"),
}

// batchOutput is the file in which OpenAI and others put the results of a batch.
func batchOutput(path, builtIn, below string) bundle {
	return bundle{
		path: path, builtIn: builtIn, below: below, mode: lines,
		rows: []string{
			`{"id":"batch_req_1","custom_id":"first","response":null,"error":{"code":"batch_expired","message":"no"}}`,
			`{"id":"batch_req_2","custom_id":"second","response":{"status_code":200,"request_id":"req_2","body":%s},"error":null}`,
		},
		find: at("response", "body"),
	}
}

// storedCompletions and storedMessages are what OpenAI keeps of chats.
var (
	storedCompletions = bundle{
		path: "/v1/chat/completions", builtIn: "openai", mode: whole,
		rows: []string{`{"object":"list","data":[%s],"first_id":"a","last_id":"a","has_more":false}`},
		find: at("data", "*"),
	}
	storedMessages = bundle{
		path: "/v1/chat/completions/chatcmpl-1/messages", builtIn: "openai", mode: whole,
		rows: []string{`{"object":"list","data":[%s],"first_id":"a","last_id":"a","has_more":false}`},
		message: func(body string) string {
			found, err := at("choices", "*", "message")([]byte(body))
			if err != nil {
				panic(err) // kits write JSON
			}
			return `{"id":"chatcmpl-1-0",` + strings.TrimPrefix(string(found[0]), "{")
		},
		find: func(row []byte) ([][]byte, error) {
			found, err := at("data", "*")(row)
			for i, m := range found {
				reason := "stop"
				if bytes.Contains(m, []byte(`tool_calls`)) {
					reason = "tool_calls"
				}
				found[i] = []byte(`{"choices":[{"index":0,"message":` + string(m) + `,"finish_reason":"` + reason + `"}]}`)
			}
			return found, err
		},
	}
)

// batchDownload is the file in which Gemini puts the results of a batch.
var batchDownload = bundle{
	path: "/download/v1beta/files/batch-1:download?alt=media", builtIn: "gemini", mode: lines,
	rows: []string{
		`{"key":"first","error":{"code":3,"message":"no","status":"INVALID_ARGUMENT"}}`,
		`{"key":"second","response":%s}`,
	},
	find: at("response"),
}

// operation is a batch of Gemini that holds its results itself.
const operation = `{"name":"batches/b-1","metadata":{"state":"BATCH_STATE_SUCCEEDED"},"done":true,"response":{"inlinedResponses":` +
	`{"inlinedResponses":[{"response":%s,"metadata":{"key":"first"}}]}}}`

func batchOperation(path, builtIn string) bundle {
	return bundle{
		path: path, builtIn: builtIn, mode: whole, rows: []string{operation},
		find: at("response", "inlinedResponses", "inlinedResponses", "*", "response"),
	}
}

func batchOperations(path string) bundle {
	return bundle{
		path: path, builtIn: "gemini", mode: whole, rows: []string{`{"operations":[` + operation + `]}`},
		find: at("operations", "*", "response", "inlinedResponses", "inlinedResponses", "*", "response"),
	}
}
