package gemini_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// expected is what becomes of a response when every call is allowed.
type expected struct {
	calls   []string // that pass: the name and the arguments
	refused []string // those that do not: the name and the code
	code    string   // why the response was refused
	same    bool     // it goes out as it came
}

var malformed = expected{code: call.CodeMalformed}

// asSent is a response without calls.
var asSent = expected{same: true}

// calls are what passes, in a response that goes out as it came.
func calls(c ...string) expected { return expected{calls: c, same: true} }

// restated are calls that pass, in a response that does not.
func restated(c ...string) expected { return expected{calls: c} }

// faulty is a call that is refused for what it is.
func faulty(name, code string) expected { return expected{refused: []string{name + " " + code}} }

func checkExpected(t *testing.T, in []byte, framing frame.Framing, want expected) {
	t.Helper()
	r := pass(in, framing, dialecttest.AllowAll())
	got := expected{code: r.Outcome().Code, same: string(in) == string(r.Out)}
	for _, e := range r.Events {
		switch {
		case e.Kind == "ended":
		case e.Ruling.Released:
			got.calls = append(got.calls, e.Call.Tool+" "+string(e.Call.Args))
		default:
			got.refused = append(got.refused, e.Call.Tool+" "+e.Ruling.Code)
		}
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(expected{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s\nin:  %s\nout: %s", diff, in, r.Out)
	}
}

// partTable are parts, each in a response of its own.
var partTable = map[string]struct {
	parts string
	want  expected
}{
	"text":                        {hiPart, asSent},
	"empty text":                  {`{"text":""}`, asSent},
	"thought":                     {`{"text":"hm","thought":true}`, asSent},
	"text with a signature":       {`{"text":"","thoughtSignature":"c2ln"}`, asSent},
	"picture":                     {`{"inlineData":{"mimeType":"image/png","data":"AA=="}}`, asSent},
	"file":                        {`{"fileData":{"fileUri":"gs://x"}}`, asSent},
	"video":                       {`{"fileData":{"fileUri":"gs://x"},"videoMetadata":{"fps":1}}`, asSent},
	"nothing":                     {`{}`, asSent},
	"only null":                   {`{"functionCall":null}`, asSent},
	"call":                        {rmPart, calls(`rm {"p":1}`)},
	"two calls":                   {rmPart + "," + lsPart, calls(`rm {"p":1}`, `ls {"n":1.50}`)},
	"call without id":             {`{"functionCall":{"name":"rm","args":{"p":1}}}`, calls(`rm {"p":1}`)},
	"call without arguments":      {`{"functionCall":{"name":"rm"}}`, calls(`rm {}`)},
	"call with null arguments":    {`{"functionCall":{"name":"rm","args":null}}`, calls(`rm {}`)},
	"call that does not go on":    {`{"functionCall":{"name":"rm","args":{},"willContinue":false}}`, calls(`rm {}`)},
	"signed call":                 {signed, calls(`rm {"p":1}`)},
	"call in snake case":          {`{"function_call":{"name":"rm","args":{"p":1}}}`, calls(`rm {"p":1}`)},
	"call and text":               {`{"text":"hi","functionCall":{"name":"rm","args":{}}}`, calls("rm {}")},
	"call and thought":            {`{"thought":true,"functionCall":{"name":"rm","args":{}}}`, calls("rm {}")},
	"call and something new":      {`{"functionCall":{"name":"rm","args":{}},"audioCall":{"a":1}}`, calls("rm {}", `audioCall {"a":1}`)},
	"escaped names":               {`{"function\u0043all":{"n\u0061me":"r\u006d","args":{"\u0070":1}}}`, calls(`rm {"\u0070":1}`)},
	"numbers as written":          {`{"functionCall":{"name":"rm","args":{"a":3.0,"b":1e400,"c":-0}}}`, calls(`rm {"a":3.0,"b":1e400,"c":-0}`)},
	"unknown members of a call":   {`{"functionCall":{"name":"rm","args":{},"newer":{"x":1}}}`, restated("rm {}")},
	"unknown scalars of a call":   {`{"functionCall":{"name":"rm","args":{},"newer":1}}`, calls("rm {}")},
	"arguments as text":           {`{"functionCall":{"name":"rm","args":"{\"p\":1}"}}`, restated(`rm {"p":1}`)},
	"arguments as text and text":  {`{"text":"hi","functionCall":{"name":"rm","args":"{\"p\":1}"},"thoughtSignature":"c2ln"}`, restated(`rm {"p":1}`)},
	"arguments as other text":     {`{"functionCall":{"name":"rm","args":"rm"}}`, faulty("rm", call.CodeArgsUnreadable)},
	"arguments as empty text":     {`{"functionCall":{"name":"rm","args":""}}`, faulty("rm", call.CodeArgsUnreadable)},
	"arguments as an array":       {`{"functionCall":{"name":"rm","args":[]}}`, faulty("rm", call.CodeArgsUnreadable)},
	"arguments as a number":       {`{"functionCall":{"name":"rm","args":1}}`, faulty("rm", call.CodeArgsUnreadable)},
	"arguments of two readings":   {`{"functionCall":{"name":"rm","args":{"p":1,"P":2}}}`, faulty("rm", call.CodeArgsUnreadable)},
	"arguments with half a char":  {`{"functionCall":{"name":"rm","args":{"p":"\ud83d"}}}`, faulty("rm", call.CodeArgsUnreadable)},
	"call without a name":         {`{"functionCall":{"args":{}}}`, faulty("functionCall", call.CodeMalformed)},
	"empty call":                  {`{"functionCall":{}}`, faulty("functionCall", call.CodeMalformed)},
	"something new":               {`{"audioCall":{"a":1}}`, calls(`audioCall {"a":1}`)},
	"something new, no object":    {`{"audioCall":[1]}`, calls(`audioCall {"value":[1]}`)},
	"answer by the model":         {`{"functionResponse":{"name":"rm","response":{}}}`, faulty("functionResponse", call.CodeMalformed)},
	"code":                        {`{"executableCode":{"code":"1"}},{"codeExecutionResult":{"output":"1"}}`, calls(`code_execution {"code":"1"}`)},
	"code in snake case":          {`{"executable_code":{"code":"1"}},{"code_execution_result":{"output":"1"}}`, calls(`code_execution {"code":"1"}`)},
	"code in one part":            {`{"executableCode":{"code":"1"},"codeExecutionResult":{"output":"1"}}`, calls(`code_execution {"code":"1"}`)},
	"result of code alone":        {`{"codeExecutionResult":{"id":"x","output":"1"}}`, calls(`code_execution {}`)},
	"tool of the provider":        {`{"toolCall":{"id":"t","toolType":"MAPS","args":{"q":1}}},{"toolResponse":{"id":"t"}}`, calls(`MAPS {"q":1}`)},
	"tool in snake case":          {`{"tool_call":{"id":"t","tool_type":"MAPS","args":{"q":1}}},{"tool_response":{"id":"t","tool_type":"MAPS"}}`, calls(`MAPS {"q":1}`)},
	"tool of two types":           {`{"toolCall":{"id":"t","toolType":"MAPS","tool_type":"RM"}}`, malformed},
	"arguments in two places":     {`{"functionCall":{"name":"rm","args":{},"arguments":{"p":1}}}`, malformed},
	"very many members":           {`{"text":"x"` + strings.Repeat(`,"a":null`, 100) + `}`, malformed},
	"tool without a type":         {`{"toolCall":{"id":"t"}}`, calls(`toolCall {}`)},
	"result of a tool alone":      {`{"toolResponse":{"id":"t","toolType":"MAPS"}}`, calls(`MAPS {}`)},
	"result of a tool of no type": {`{"toolResponse":{"id":"t"}}`, calls(`toolResponse {}`)},
	"call in another case":        {`{"FunctionCall":{"name":"rm","args":{}}}`, malformed},
	"call in another snake case":  {`{"Function_Call":{"name":"rm","args":{}}}`, malformed},
	"text in another case":        {`{"Text":"hi"}`, malformed},
	"tool in another case":        {`{"toolcall":{"toolType":"MAPS"}}`, malformed},
	"call twice":                  {`{"functionCall":null,"functionCall":{"name":"rm"}}`, malformed},
	"call in both cases":          {`{"functionCall":{"name":"ls"},"FunctionCall":{"name":"rm"}}`, malformed},
	"call in both spellings":      {`{"functionCall":{"name":"ls"},"function_call":{"name":"rm"}}`, malformed},
	"code in both spellings":      {`{"executableCode":{"code":"1"},"executable_code":{"code":"2"}}`, malformed},
	"signature in both spellings": {`{"functionCall":{"name":"rm"},"thoughtSignature":"YQ==","thought_signature":"Yg=="}`, malformed},
	"name twice":                  {`{"functionCall":{"name":"ls","name":"rm"}}`, malformed},
	"name in another case":        {`{"functionCall":{"Name":"rm"}}`, malformed},
	"name a number":               {`{"functionCall":{"name":1}}`, malformed},
	"name too long":               {`{"functionCall":{"name":"` + strings.Repeat("x", 2000) + `"}}`, malformed},
	"arguments twice":             {`{"functionCall":{"name":"rm","args":{},"args":{"p":1}}}`, malformed},
	"arguments in another case":   {`{"functionCall":{"name":"rm","Args":{"p":1}}}`, malformed},
	"call a string":               {`{"functionCall":"rm"}`, malformed},
	"part a string":               {`"hi"`, malformed},
	"part an array":               {`[` + rmPart + `]`, malformed},
	"call inside a picture":       {`{"inlineData":{"functionCall":{"name":"rm"}}}`, malformed},
	"call inside beside a call":   {`{"functionCall":{"name":"ls"},"inlineData":{"functionCall":{"name":"rm"}}}`, malformed},
	"goes on maybe":               {`{"functionCall":{"name":"rm","willContinue":"yes"}}`, malformed},
	"pieces not in an array":      {`{"functionCall":{"name":"rm","partialArgs":{}}}`, malformed},
	"pieces in both spellings":    {`{"functionCall":{"name":"rm","partialArgs":[],"partial_args":[]}}`, malformed},
}

func TestParts(t *testing.T) {
	for name, tt := range partTable {
		t.Run(name, func(t *testing.T) {
			for _, framing := range streamed {
				checkExpected(t, wire(framing, says(tt.parts), ends(hiPart)), framing, tt.want)
				checkExpected(t, wire(framing, ends(tt.parts, hiPart)), framing, tt.want)
				checkExpected(t, wire(framing, wrap(ends(tt.parts, hiPart))), framing, tt.want)
			}
			checkExpected(t, []byte(ends(tt.parts, hiPart)), frame.Whole, tt.want)
			checkExpected(t, []byte(wrap(ends(tt.parts, hiPart))), frame.Whole, tt.want)
		})
	}
}

// A call larger than the bound is refused, and the bound is what is on record of it.
func TestOversize(t *testing.T) {
	part := `{"functionCall":{"name":"rm","args":{"p":"` + strings.Repeat("x", 1<<20) + `"}}}`
	checkExpected(t, stream(says(part), ends(hiPart)), frame.Events, faulty("rm", call.CodeArgsOversize))
}

// responseTable are elements that end a response, or bodies.
var responseTable = map[string]struct {
	element string
	want    expected
}{
	"call in the second candidate": {element(finished(0, "STOP", hiPart), finished(1, "STOP", rmPart)), calls(`rm {"p":1}`)},
	"candidates of one index":      {element(finished(0, "STOP", hiPart), finished(0, "STOP", rmPart)), calls(`rm {"p":1}`)},
	"candidate without an index":   {`{"candidates":[{"content":{"parts":[` + rmPart + `]},"finishReason":"STOP"}]}`, calls(`rm {"p":1}`)},
	"index null":                   {`{"candidates":[{"content":{"parts":[` + rmPart + `]},"finishReason":"STOP","index":null}]}`, calls(`rm {"p":1}`)},
	"no role":                      {`{"candidates":[{"content":{"parts":[` + rmPart + `]},"finishReason":"STOP"}]}`, calls(`rm {"p":1}`)},
	"no content":                   {bareEnd, asSent},
	"no parts":                     {`{"candidates":[{"content":{"role":"model"},"finishReason":"SAFETY"}]}`, asSent},
	"parts null":                   {`{"candidates":[{"content":{"role":"model","parts":null},"finishReason":"SAFETY"}]}`, asSent},
	"candidates null":              {`{"candidates":null,"usageMetadata":{}}`, asSent},
	"blocked":                      {`{"promptFeedback":{"blockReason":"OTHER"},"usageMetadata":{}}`, asSent},
	"grounding":                    {strings.Replace(ends(hiPart), `"index"`, `"groundingMetadata":{"webSearchQueries":["x"]},"index"`, 1), asSent},
	"error":                        {failure, asSent},
	"wrapped error":                {wrap(failure), asSent},
	"error null":                   {strings.Replace(ends(rmPart), `"candidates"`, `"error":null,"candidates"`, 1), calls(`rm {"p":1}`)},
	"error and candidates":         {strings.Replace(ends(rmPart), `"candidates"`, `"error":{"code":1},"candidates"`, 1), malformed},
	"error with a call":            {`{"error":{"code":1,"details":[{"functionCall":{"name":"rm"}}]}}`, malformed},
	"wrapped, not an object":       {`{"response":[` + ends(rmPart) + `]}`, malformed},
	"two responses":                {`{"response":` + ends(hiPart) + `,"candidates":[` + finished(0, "STOP", rmPart) + `]}`, malformed},
	"wrapper twice":                {`{"response":` + ends(hiPart) + `,"response":` + ends(rmPart) + `}`, malformed},
	"wrapper in another case":      {`{"Response":` + ends(rmPart) + `}`, malformed},
	"wrapper around a wrapper":     {`{"response":{"response":` + ends(rmPart) + `}}`, malformed},
	"candidates twice":             {`{"candidates":[],"candidates":[` + finished(0, "STOP", rmPart) + `]}`, malformed},
	"candidates in another case":   {`{"Candidates":[` + finished(0, "STOP", rmPart) + `]}`, malformed},
	"candidates an object":         {`{"candidates":{"0":` + finished(0, "STOP", rmPart) + `}}`, malformed},
	"candidate an array":           {`{"candidates":[[` + finished(0, "STOP", rmPart) + `]]}`, malformed},
	"content twice":                {`{"candidates":[{"content":{},"content":{"parts":[` + rmPart + `]}}]}`, malformed},
	"content in another case":      {`{"candidates":[{"Content":{"parts":[` + rmPart + `]}}]}`, malformed},
	"content an array":             {`{"candidates":[{"content":[{"parts":[` + rmPart + `]}]}]}`, malformed},
	"parts in another case":        {`{"candidates":[{"content":{"PARTS":[` + rmPart + `]}}]}`, malformed},
	"parts an object":              {`{"candidates":[{"content":{"parts":` + rmPart + `}}]}`, malformed},
	"index a string":               {`{"candidates":[{"content":{"parts":[]},"index":"0"}]}`, malformed},
	"index negative":               {`{"candidates":[{"content":{"parts":[]},"index":-1}]}`, malformed},
	"index huge":                   {`{"candidates":[{"content":{"parts":[]},"index":4096}]}`, malformed},
	"finish a number":              {`{"candidates":[{"content":{"parts":[` + rmPart + `]},"finishReason":1}]}`, malformed},
	"call beside the candidates":   {strings.Replace(ends(hiPart), `"candidates"`, `"functionCall":{"name":"rm"},"candidates"`, 1), malformed},
	"call beside the content":      {strings.Replace(ends(hiPart), `"content"`, `"functionCall":{"name":"rm"},"content"`, 1), malformed},
	"call beside the parts":        {strings.Replace(ends(hiPart), `"parts"`, `"functionCall":{"name":"rm"},"parts"`, 1), malformed},
	"call beside the wrapped":      {`{"functionCall":{"name":"rm"},"response":` + ends(hiPart) + `}`, malformed},
	"call of another format":       {strings.Replace(ends(hiPart), `"content"`, `"message":{"tool_calls":[{"function":{"name":"rm"}}]},"content"`, 1), malformed},
	"a list":                       {`[1]`, malformed},
	"a number":                     {`1`, malformed},
	"not JSON":                     {`{"candidates":[`, malformed},
	"not UTF-8":                    {"{\"candidates\":[],\"a\":\"\xff\"}", malformed},
}

func TestResponses(t *testing.T) {
	for name, tt := range responseTable {
		t.Run(name, func(t *testing.T) {
			checkExpected(t, []byte(tt.element), frame.Whole, tt.want)
			for _, framing := range streamed {
				if framing == frame.Elements && tt.element[0] != '{' || name == "not JSON" {
					continue // that is another array
				}
				checkExpected(t, wire(framing, tt.element), framing, tt.want)
				checkExpected(t, wire(framing, says(hiPart), tt.element), framing, tt.want)
			}
		})
	}
}
