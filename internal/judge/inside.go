package judge

import (
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/script"
	"github.com/weir-gate/weir/internal/strictjson"
)

// codeTool is the tool to which an agent in code mode sends JavaScript that calls its other tools.
const codeTool = "exec"

// toolsObject is the object through which that code calls tools.
const toolsObject = "tools"

// reasonOpaque is given when code hides which tools it calls, or what with.
const reasonOpaque = "The code computes what it calls; write the tools and their arguments out."

// readCode finds the calls in the code that a call brings, if it does. Opaque says that there may be more.
func readCode(c call.Call) (inner []call.Inner, opaque bool) {
	if tool := c.Tool[strings.LastIndexByte(c.Tool, '.')+1:]; tool != codeTool { // it may stand in a namespace
		return nil, false
	}
	source, ok := onlyInput(c.Args)
	if !ok {
		return nil, false
	}
	defer func() {
		if recover() != nil {
			inner, opaque = nil, true // what the reader stumbles over is not read
		}
	}()
	r := script.Read(source, []string{toolsObject})
	for _, found := range r.Calls {
		i := call.Inner{Tool: found.Tool, Args: found.Args, Unknown: !found.Known}
		inner = append(inner, i)
	}
	return inner, r.Opaque
}

// onlyInput is the text of a call whose arguments are a text and nothing else.
func onlyInput(args []byte) (string, bool) {
	var doc strictjson.Doc
	if doc.Parse(args) != nil || doc.Root().Len() != 1 {
		return "", false
	}
	input, err := doc.Root().Member("input")
	if err != nil || input.Kind() != strictjson.String {
		return "", false
	}
	return string(input.AppendText(nil)), true
}

// opaqueRefusal is the ruling on code that cannot be read, where a rule restricts what it could call.
func opaqueRefusal(p *policy.Policy) call.Ruling {
	return call.Ruling{Code: call.CodeOpaqueCode, Reason: reasonOpaque, Policy: p.Version()}
}
