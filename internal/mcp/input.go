package mcp

import (
	"context"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/strictjson"
)

// maxInputs is how many requests one response may contain.
const maxInputs = 64

// An input is a request of the server inside a response. The client handles it, and then repeats its own request.
type input struct {
	method string
	params strictjson.Value // missing: there are none
	// set returns the edit that replaces its params.
	set func(params []byte) (strictjson.Edit, error)
}

// inputs submits the requests inside a response to the judge, like separate requests. It returns the response with the params that
// the judge wants, or the refusal that replaces it.
func (s *Session) inputs(ctx context.Context, r *request, m *jsonrpc.Message) (out, refusal *jsonrpc.Message) {
	find := requestedInputs
	if m.Error != nil {
		find = urlElicitations
	}
	inputs, ok := find(m)
	if !ok {
		return nil, s.unfit(r)
	}
	var edits []strictjson.Edit
	for _, in := range inputs {
		act := s.act(r.id, call.Call{Tool: in.method, Args: emptyArgs, MCP: call.MCPCall{Method: in.method}})
		ruling := s.ruleInput(ctx, in, act)
		if !ruling.Released {
			return nil, s.instead(r, inputNotice(in.method, ruling))
		}
		if ruling.Args == nil {
			continue
		}
		edit, err := in.set(ruling.Args)
		if err != nil {
			return nil, s.unfit(r)
		}
		edits = append(edits, edit)
	}
	if len(edits) == 0 {
		return m, nil
	}
	edited, err := m.Edit(edits...)
	if err != nil {
		return nil, s.unfit(r)
	}
	return edited, nil
}

// ruleInput submits one request inside a response to the judge.
func (s *Session) ruleInput(ctx context.Context, in input, act call.Call) call.Ruling {
	if in.params.Kind() != strictjson.Missing {
		if strictjson.CheckArguments(in.params.Raw()) != nil {
			act.Args = strictjson.AppendString(nil, string(in.params.Raw()))
			ruling := call.Ruling{Code: call.CodeArgsUnreadable, Reason: "Its parameters can be read in more than one way."}
			s.refused(&s.fromServer, act, ruling)
			return ruling
		}
		act.Args = in.params.Raw()
	}
	return s.judge.Call(ctx, act)
}

// requestedInputs finds the requests that the client must respond to before the result is complete. It is not ok if readers could
// find others.
func requestedInputs(m *jsonrpc.Message) (inputs []input, ok bool) {
	if _, err := m.ResultMember("resultType"); err != nil {
		return nil, false
	}
	all, err := m.ResultMember("inputRequests")
	if err != nil || all.Len() > maxInputs {
		return nil, false
	}
	switch all.Kind() {
	case strictjson.Missing, strictjson.Null:
		return nil, true
	case strictjson.Object:
		for _, v := range all.Members() {
			if inputs, ok = appendInput(inputs, v); !ok {
				return nil, false
			}
		}
		return inputs, true
	case strictjson.Array:
		for v := range all.Elems() {
			if inputs, ok = appendInput(inputs, v); !ok {
				return nil, false
			}
		}
		return inputs, true
	}
	return nil, false
}

// appendInput parses one request inside a result.
func appendInput(inputs []input, v strictjson.Value) ([]input, bool) {
	methodValue, err := v.Member("method")
	if err != nil {
		return nil, false
	}
	method, ok := methodValue.Text()
	if !ok || method == "" || !isMethod(method) {
		return nil, false
	}
	params, err := v.Member("params")
	if err != nil {
		return nil, false
	}
	return append(inputs, input{
		method: method, params: params,
		set: func(text []byte) (strictjson.Edit, error) { return v.SetMember("params", text) },
	}), true
}

// urlElicitations finds the addresses to which an error wants the user to be sent. It is not ok if readers could find others.
func urlElicitations(m *jsonrpc.Message) (inputs []input, ok bool) {
	if code, _ := m.Failure(); code != jsonrpc.CodeURLElicitation {
		return nil, true
	}
	failure, err := m.Root().Member("error")
	if err != nil {
		return nil, false
	}
	data, err := failure.Member("data")
	if err != nil {
		return nil, false
	}
	all, err := data.Member("elicitations")
	if err != nil || all.Len() > maxInputs {
		return nil, false
	}
	add := func(v strictjson.Value) {
		inputs = append(inputs, input{
			method: elicitation, params: v, set: func(text []byte) (strictjson.Edit, error) { return v.Replace(text), nil },
		})
	}
	if all.Kind() != strictjson.Array || all.Len() == 0 {
		if data.Kind() == strictjson.Missing {
			return []input{{method: elicitation, set: func(text []byte) (strictjson.Edit, error) {
				return failure.SetMember("data", text)
			}}}, true
		}
		add(data)
		return inputs, true
	}
	for v := range all.Elems() {
		add(v)
	}
	return inputs, true
}
