package bedrock_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/gate"
	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// An expected is what is to become of a response.
type expected struct {
	code  string   // of the outcome; "" if the response is not refused
	calls []string // that the agent gets, as "name args"
	fault []string // codes of calls that are refused for what they are
}

func checkExpected(t *testing.T, in []byte, whole bool, want expected) dialecttest.Result {
	t.Helper()
	r := pass(in, whole, dialecttest.AllowAll())
	got := expected{code: r.Outcome().Code}
	for _, e := range r.Events {
		if e.Kind == "refuse" {
			got.fault = append(got.fault, e.Ruling.Code)
		}
	}
	for _, s := range seenIn(r.Out, whole) {
		got.calls = append(got.calls, s.Name+" "+s.Args)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(expected{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s\n%q", diff, r.Out)
	}
	return r
}

// seenIn are the calls in out.
func seenIn(out []byte, whole bool) []dialecttest.Seen {
	return lenientCalls(dialecttest.Readers(framingOf(whole))[0].Events(out))
}

func TestStream(t *testing.T) {
	ok := []string{`rm {"path":"/"}`}
	malformed, unreadable := expected{code: call.CodeMalformed}, expected{fault: []string{call.CodeArgsUnreadable}}
	cut := expected{fault: []string{call.CodeCutShort}}
	inside := expected{code: call.CodeMalformed, fault: []string{call.CodeCutShort}} // malformed inside a call
	// args is a call to rm with these pieces of arguments.
	args := func(pieces ...string) []string {
		frames := []string{start, tool(0, "rm")}
		for _, p := range pieces {
			frames = append(frames, piece(0, p))
		}
		return append(frames, stopBlock(0), end, costs)
	}
	// instead is a stream with these frames in the place of a message.
	instead := func(frames ...any) []string { return framesOf(start, framesOf(frames...), end, costs) }
	use := `{"toolUse":{"toolUseId":"t","name":"rm"}}`
	server := startBlock(0, `{"toolUse":{"toolUseId":"s","name":"web_search","type":"server_tool_use"}}`)
	tests := map[string]struct {
		frames []string
		want   expected
	}{
		// Calls, in every form they have.
		"arguments in pieces":       {args(`""`, `"{\"path\":"`, `"\"/\"}"`), expected{calls: ok}},
		"no arguments":              {args(), expected{calls: []string{"rm {}"}}},
		"empty pieces":              {args(`""`, `""`), expected{calls: []string{"rm {}"}}},
		"no arguments, then text":   {framesOf(start, tool(0, "rm"), stopBlock(0), says(1, "x"), stopBlock(1), stopWith("max_tokens"), costs), expected{calls: []string{"rm {}"}}},
		"no arguments, turn cut":    {framesOf(start, tool(0, "rm"), stopBlock(0), stopWith("max_tokens"), costs), cut},
		"no arguments, window full": {framesOf(start, tool(0, "rm"), stopBlock(0), stopWith("model_context_window_exceeded"), costs), cut},
		"no arguments, no end":      {framesOf(start, tool(0, "rm"), stopBlock(0)), cut},
		"arguments, turn cut":       {framesOf(start, rm(0), stopWith("max_tokens"), costs), expected{calls: ok}},
		"half the arguments, cut":   {framesOf(start, tool(0, "rm"), piece(0, `"{\"path\""`), stopBlock(0), stopWith("max_tokens"), costs), cut},
		"half the arguments":        {args(`"{\"path\":"`), unreadable},
		"arguments not an object":   {args(`"[1]"`), unreadable},
		"arguments a string":        {args(`"\"{}\""`), unreadable},
		"two argument objects":      {args(`"{} {}"`), unreadable},
		"white space around":        {args(`" { } "`), expected{calls: []string{"rm {}"}}},
		"a name twice in arguments": {args(`"{\"a\":1,\"a\":2}"`), unreadable},
		"a name in two cases":       {args(`"{\"a\":1,\"A\":2}"`), unreadable},
		"half a character":          {args(`"{\"a\":\"\ud83d\"}"`), unreadable},
		"half a character escaped":  {args(`"{\"a\":\"\\ud83d\"}"`), unreadable},
		"a character in two pieces": {args(`"{\"a\":\"\ud83d"`, `""`, `"\ude00\"}"`), expected{calls: []string{`rm {"a":"😀"}`}}},
		"never closed":              {framesOf(start, tool(0, "rm"), piece(0, `"{}"`), end, costs), cut},
		"input in the start":        {instead(startBlock(0, `{"toolUse":{"toolUseId":"t","name":"rm","input":{"path":"/"}}}`), stopBlock(0)), unreadable},
		"input in start and deltas": {instead(startBlock(0, `{"toolUse":{"toolUseId":"t","name":"rm","input":""}}`), piece(0, `"{}"`), stopBlock(0)), unreadable},
		"null input in the start":   {instead(startBlock(0, `{"toolUse":{"toolUseId":"t","name":"rm","input":null}}`), piece(0, `"{}"`), stopBlock(0)), expected{calls: []string{"rm {}"}}},
		"another type of use":       {instead(startBlock(0, `{"toolUse":{"toolUseId":"t","name":"rm","type":"client"}}`), stopBlock(0)), expected{calls: []string{"rm {}"}}},
		"stop reason end_turn":      {framesOf(start, rm(0), stopWith("end_turn"), costs), expected{calls: ok}},
		"two calls, one id":         {instead(rm(0), rm(1)), expected{calls: append(ok, ok...)}},
		"no metadata":               {framesOf(start, rm(0), end), expected{calls: ok}},

		// Provider-run calls are held like others.
		"server tool":            {framesOf(start, server, piece(0, `"{\"q\":1}"`), stopBlock(0), startBlock(1, `{"toolResult":{"toolUseId":"s"}}`), delta(1, `{"toolResult":[{"text":"x"}]}`), stopBlock(1), stopWith("end_turn"), costs), expected{calls: []string{`web_search {"q":1}`}}},
		"server tool, one id":    {framesOf(start, server, stopBlock(0), strings.Replace(server, `Index":0`, `Index":1`, 1)), expected{code: call.CodeMalformed, calls: []string{"web_search {}"}}},
		"result without a start": {instead(delta(0, `{"toolResult":[{"text":"x"}]}`)), malformed},
		"result of another turn": {framesOf(start, startBlock(0, `{"toolResult":{"toolUseId":"old"}}`), delta(0, `{"toolResult":[]}`), stopBlock(0), stopWith("end_turn"), costs), expected{}},
		"result is a list":       {instead(startBlock(0, `{"toolResult":[]}`)), malformed},

		// Members that clients read differently.
		"name twice":                 {instead(startBlock(0, `{"toolUse":{"toolUseId":"t","name":"ls","name":"rm"}}`)), malformed},
		"name in two cases":          {instead(startBlock(0, `{"toolUse":{"toolUseId":"t","name":"ls","Name":"rm"}}`)), malformed},
		"name in another case":       {instead(startBlock(0, `{"toolUse":{"toolUseId":"t","NAME":"rm"}}`)), malformed},
		"id twice":                   {instead(startBlock(0, `{"toolUse":{"toolUseId":"t","toolUseId":"u","name":"rm"}}`)), malformed},
		"id not a string":            {instead(startBlock(0, `{"toolUse":{"toolUseId":1,"name":"rm"}}`)), malformed},
		"type twice":                 {instead(startBlock(0, `{"toolUse":{"toolUseId":"t","name":"rm","type":"server_tool_use","type":"x"}}`)), malformed},
		"type not a string":          {instead(startBlock(0, `{"toolUse":{"toolUseId":"t","name":"rm","type":["server_tool_use"]}}`)), malformed},
		"no name":                    {instead(startBlock(0, `{"toolUse":{"toolUseId":"t"}}`)), malformed},
		"name not a string":          {instead(startBlock(0, `{"toolUse":{"toolUseId":"t","name":{"x":1}}}`)), malformed},
		"name with half a character": {instead(startBlock(0, `{"toolUse":{"toolUseId":"t","name":"\ud83d"}}`)), malformed},
		"use not an object":          {instead(startBlock(0, `{"toolUse":["rm"]}`)), malformed},
		"use in another case":        {instead(startBlock(0, `{"tooluse":{"toolUseId":"t","name":"rm"}}`)), malformed},
		"use twice":                  {instead(startBlock(0, `{"toolUse":{"name":"ls"},"toolUse":{"name":"rm"}}`)), malformed},
		"use and null use":           {instead(startBlock(0, `{"toolUse":{"name":"ls"},"toolUse":null}`)), malformed},
		"use and text":               {instead(startBlock(0, `{"toolUse":{"name":"ls"},"text":""}`)), malformed},
		"use and unknown":            {instead(startBlock(0, `{"toolUse":{"name":"ls"},"newKind":{}}`)), malformed},
		"start twice":                {instead(`contentBlockStart {"contentBlockIndex":0,"start":{"image":{}},"start":` + use + `}`), malformed},
		"start in another case":      {instead(`contentBlockStart {"contentBlockIndex":0,"Start":` + use + `}`), malformed},
		"no start":                   {instead(`contentBlockStart {"contentBlockIndex":0}`), malformed},
		"empty start":                {instead(startBlock(0, `{}`)), malformed},
		"start of nulls":             {instead(startBlock(0, `{"text":null}`)), malformed},
		"start a list":               {instead(startBlock(0, `[`+use+`]`)), malformed},
		"delta twice":                {instead(tool(0, "rm"), `contentBlockDelta {"contentBlockIndex":0,"delta":{"toolUse":{"input":"{}"}},"delta":{"toolUse":{"input":"{}"}}}`), inside},
		"input twice":                {instead(tool(0, "rm"), delta(0, `{"toolUse":{"input":"{}","input":"{}"}}`)), inside},
		"input in another case":      {instead(tool(0, "rm"), delta(0, `{"toolUse":{"Input":"{}"}}`)), inside},
		"input an object":            {instead(tool(0, "rm"), delta(0, `{"toolUse":{"input":{}}}`)), inside},
		"use and text in a delta":    {instead(tool(0, "rm"), delta(0, `{"toolUse":{"input":"{}"},"text":"x"}`)), inside},
		"text and use in a delta":    {instead(says(0, "x"), delta(0, `{"text":"x","toolUse":{"input":"{}"}}`)), malformed},
		"text ahead of use":          {instead(tool(0, "rm"), delta(0, `{"text":"x","toolUse":{"input":"{}"}}`)), inside},
		"citation and text":          {instead(says(0, "x"), delta(0, `{"citation":{},"text":"x"}`)), malformed},
		"empty delta":                {instead(tool(0, "rm"), delta(0, `{}`)), inside},
		"text is a call":             {instead(delta(0, `{"text":`+use+`}`)), malformed},
		"reasoning has a call":       {instead(delta(0, `{"reasoningContent":`+use+`}`)), malformed},
		"citation has a call":        {instead(says(0, "x"), delta(0, `{"citation":`+use+`}`)), malformed},
		"call beside the start":      {instead(`contentBlockStart {"contentBlockIndex":0,"start":{"image":{}},"toolUse":{"name":"rm"}}`), malformed},
		"call beside the delta":      {instead(`contentBlockDelta {"contentBlockIndex":0,"delta":{"text":"x"},"message":` + use + `}`), malformed},
		"call inside the call":       {instead(startBlock(0, `{"toolUse":{"toolUseId":"t","name":"ls","x":`+use+`}}`)), malformed},

		// Unknown kinds are calls.
		"unknown kind":           {instead(startBlock(0, `{"newKind":{"x":1}}`), stopBlock(0)), expected{calls: []string{`newKind {"newKind":{"x":1}}`}}},
		"unknown kind, deltas":   {instead(startBlock(0, `{"newKind":{"x":1}}`), delta(0, `{"newKind":"y"}`), says(0, "z"), stopBlock(0)), expected{calls: []string{`newKind {"deltas":[{"newKind":"y"},{"text":"z"}],"newKind":{"x":1}}`}}},
		"unknown kind, no start": {instead(delta(0, `{"newKind":{"x":1}}`), delta(0, `{"newKind":{"y":1}}`), stopBlock(0)), expected{calls: []string{`newKind {"deltas":[{"newKind":{"y":1}}],"newKind":{"x":1}}`}}},
		"unknown, ambiguous":     {instead(startBlock(0, `{"newKind":{"x":1,"X":2}}`), stopBlock(0)), unreadable},
		"unknown, never closed":  {instead(startBlock(0, `{"newKind":{"x":1}}`)), cut},
		"unknown delta in text":  {instead(says(0, "x"), delta(0, `{"newKind":{"x":1}}`)), malformed},
		"unknown, pieces":        {instead(startBlock(0, `{"newKind":{"x":1}}`), piece(0, `"{}"`)), inside},
		"kind without a name":    {instead(startBlock(0, `{"":{"x":1}}`)), malformed},

		// Deltas and blocks that do not fit.
		"pieces before the start":  {instead(piece(0, `"{}"`)), malformed},
		"pieces in a text":         {instead(says(0, "x"), piece(0, `"{}"`)), malformed},
		"text in a call":           {instead(tool(0, "rm"), says(0, "x")), inside},
		"reasoning in a text":      {instead(says(0, "x"), delta(0, `{"reasoningContent":{"text":"y"}}`)), malformed},
		"start after its delta":    {instead(says(0, "x"), tool(0, "rm")), malformed},
		"two starts":               {instead(tool(0, "rm"), tool(0, "rm")), inside},
		"a call in a call":         {instead(tool(0, "rm"), tool(1, "rm")), inside},
		"text beside a call":       {instead(tool(0, "rm"), says(1, "x")), inside},
		"text resumed in a call":   {instead(says(0, "x"), tool(1, "rm"), says(0, "y")), inside},
		"text stopped in a call":   {instead(says(0, "x"), tool(1, "rm"), stopBlock(0)), inside},
		"text stopped late":        {framesOf(start, says(0, "x"), rm(1), stopBlock(0), end, costs), expected{calls: ok}},
		"texts interleaved":        {framesOf(start, says(0, "x"), says(1, "y"), says(0, "z"), stopBlock(1), stopBlock(0), stopWith("end_turn"), costs), expected{}},
		"stop without a start":     {framesOf(start, stopBlock(0), says(1, "x"), stopBlock(1), stopWith("end_turn"), costs), expected{}},
		"stop twice":               {framesOf(start, says(0, "x"), stopBlock(0), stopBlock(0)), malformed},
		"delta after its stop":     {framesOf(start, says(0, "x"), stopBlock(0), says(0, "y")), malformed},
		"piece after release":      {framesOf(start, rm(0), piece(0, `"{}"`)), expected{code: call.CodeMalformed, calls: ok}},
		"index reused":             {framesOf(start, says(0, "x"), stopBlock(0), tool(0, "rm")), malformed},
		"index going back":         {framesOf(start, says(3, "x"), stopBlock(3), tool(2, "rm")), malformed},
		"a gap":                    {framesOf(start, says(3, "x"), stopBlock(3), rm(7), end, costs), expected{calls: ok}},
		"negative index":           {instead(tool(-1, "rm")), malformed},
		"fractional index":         {instead(tool("0.0", "rm")), malformed},
		"exponent index":           {instead(tool("1e0", "rm")), malformed},
		"string index":             {instead(tool(`"0"`, "rm")), malformed},
		"null index":               {instead(tool("null", "rm")), malformed},
		"huge index":               {instead(tool("99999999999999999999", "rm")), malformed},
		"index twice":              {instead(`contentBlockStart {"contentBlockIndex":0,"contentBlockIndex":0,"start":` + use + `}`), malformed},
		"no index":                 {instead(`contentBlockStart {"start":` + use + `}`), malformed},
		"stop of another index":    {instead(tool(0, "rm"), stopBlock(1)), inside},
		"stop with a broken index": {instead(tool(0, "rm"), stopBlock(`"0"`)), inside},

		// Order, and frames of no message.
		"no messageStart":         {framesOf(tool(0, "rm")), malformed},
		"metadata first":          {framesOf(costs), malformed},
		"a second messageStart":   {framesOf(start, start), malformed},
		"call in messageStart":    {framesOf(`messageStart {"role":"assistant","content":[` + use + `]}`), malformed},
		"call after messageStop":  {framesOf(start, says(0, "x"), stopBlock(0), stopWith("end_turn"), tool(1, "rm")), malformed},
		"text after messageStop":  {framesOf(start, says(0, "x"), stopBlock(0), stopWith("end_turn"), says(1, "y")), malformed},
		"a second messageStop":    {framesOf(start, says(0, "x"), stopBlock(0), stopWith("end_turn"), stopWith("end_turn")), malformed},
		"unknown after the end":   {framesOf(start, says(0, "x"), stopBlock(0), stopWith("end_turn"), `weather {"sun":1}`), malformed},
		"metadata twice":          {framesOf(start, says(0, "x"), stopBlock(0), stopWith("end_turn"), costs, costs), malformed},
		"metadata before the end": {framesOf(start, says(0, "x"), stopBlock(0), costs, stopWith("end_turn")), expected{}},
		"call in metadata":        {framesOf(start, says(0, "x"), stopBlock(0), stopWith("end_turn"), `metadata {"usage":{},"output":`+use+`}`), malformed},
		"call in messageStop":     {framesOf(start, says(0, "x"), stopBlock(0), `messageStop {"stopReason":"tool_use","content":[`+use+`]}`), malformed},
		"reason not a string":     {framesOf(start, says(0, "x"), stopBlock(0), `messageStop {"stopReason":["tool_use"]}`), malformed},
		"reason twice":            {framesOf(start, says(0, "x"), stopBlock(0), `messageStop {"stopReason":"tool_use","stopReason":"end_turn"}`), malformed},
		"trace twice":             {framesOf(start, says(0, "x"), stopBlock(0), stopWith("end_turn"), `metadata {"trace":{},"Trace":{}}`), malformed},
		"unknown frame":           {framesOf(start, `weather {"sun":true}`, says(0, "x"), stopBlock(0), stopWith("end_turn"), costs), expected{}},
		"unknown frame, a call":   {framesOf(start, `weather {"sun":`+use+`}`), malformed},
		"wrapped frame":           {framesOf(start, `event {"contentBlockStart":{"contentBlockIndex":0,"start":`+use+`}}`), malformed},
		"frame in another case":   {framesOf(start, strings.Replace(tool(0, "rm"), "contentBlockStart", "contentblockstart", 1)), malformed},
		"chunk of another API":    {framesOf(start, `chunk {"bytes":"e30="}`), malformed},
		"chat chunk":              {framesOf(start, `x {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{"}}]}}]}`), malformed},
		"messages event":          {framesOf(start, `x {"type":"content_block_start","content_block":{"type":"tool_use"}}`), malformed},
		"gemini part":             {framesOf(start, `x {"candidates":[{"content":{"parts":[{"functionCall":{"name":"rm"}}]}}]}`), malformed},
		"not JSON":                {framesOf(start, `contentBlockDelta {"contentBlockIndex":0`), malformed},
		"not an object":           {framesOf(start, `contentBlockDelta [1]`), malformed},
		"no payload":              {framesOf(start, `contentBlockDelta `), malformed},

		// Failures.
		"failure at once":         {framesOf(failure), expected{}},
		"failure in a call":       {framesOf(start, tool(0, "rm"), piece(0, `"{\"path\":\"/\"}"`), failure), cut},
		"failure after a call":    {framesOf(start, rm(0), failure), expected{calls: ok}},
		"failure after the end":   {framesOf(start, rm(0), end, failure), expected{calls: ok}},
		"failure, then a call":    {framesOf(start, failure, tool(0, "rm")), malformed},
		"failure, then metadata":  {framesOf(start, failure, costs), malformed},
		"call in a failure":       {framesOf(start, `!x {"message":`+use+`}`), malformed},
		"failure named as a call": {framesOf(start, `!weather {"message":"m"}`), expected{}},
		"failure in another case": {framesOf(start, `!messagestop {"message":"m"}`), malformed},
	}
	format := subject(t)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := checkExpected(t, stream(tt.frames...), false, tt.want)
			if cut := strings.HasSuffix(name, "no end"); cut != errors.Is(r.Err, gate.ErrBroken) || !cut && r.Err != nil {
				t.Errorf("Pass: %v", r.Err)
			}
			format.CheckAny(t, stream(tt.frames...), frame.Binary)
		})
	}
}

func TestBody(t *testing.T) {
	ok := expected{calls: []string{`rm {"path":"/"}`}}
	malformed, unreadable := expected{code: call.CodeMalformed}, expected{fault: []string{call.CodeArgsUnreadable}}
	with := func(input string) string {
		return body("tool_use", `{"toolUse":{"toolUseId":"t","name":"rm","input":`+input+`}}`)
	}
	tests := map[string]struct {
		body string
		want expected
	}{
		"call":                   {body("tool_use", `{"text":"x"}`, rmBlock), ok},
		"no input":               {body("tool_use", `{"toolUse":{"toolUseId":"t","name":"rm"}}`), expected{calls: []string{"rm {}"}}},
		"no arguments":           {with(`{}`), expected{calls: []string{"rm {}"}}},
		"no arguments, turn cut": {body("max_tokens", `{"toolUse":{"toolUseId":"t","name":"rm","input":{}}}`), expected{fault: []string{call.CodeCutShort}}},
		"arguments a string":     {with(`"{}"`), unreadable},
		"arguments a list":       {with(`[]`), unreadable},
		"ambiguous arguments":    {with(`{"a":1,"A":1}`), unreadable},
		"half a character":       {with(`{"a":"\ud83d"}`), unreadable},
		"input twice":            {with(`{},"input":{}`), malformed},
		"unknown block":          {body("tool_use", `{"newKind":{"x":1}}`), expected{calls: []string{`newKind {"newKind":{"x":1}}`}}},
		"block of two":           {body("tool_use", `{"text":"x","toolUse":{"name":"rm"}}`), malformed},
		"block of none":          {body("tool_use", `{}`), malformed},
		"block is a text":        {body("tool_use", `"x"`), malformed},
		"call in a text":         {body("tool_use", `{"text":`+rmBlock+`}`), malformed},
		"call in a citation":     {body("tool_use", `{"citationsContent":`+rmBlock+`}`), malformed},
		"content twice":          {strings.Replace(body("tool_use", rmBlock), `"role"`, `"content":[],"role"`, 1), malformed},
		"content, another case":  {strings.Replace(body("tool_use"), `"role"`, `"Content":[`+rmBlock+`],"role"`, 1), malformed},
		"content an object":      {strings.NewReplacer("[", "{\"a\":", "]", "}").Replace(body("tool_use", rmBlock)), malformed},
		"message twice":          {strings.Replace(body("tool_use"), `"message"`, `"message":{"content":[`+rmBlock+`]},"message"`, 1), malformed},
		"output twice":           {strings.Replace(body("tool_use"), `"output"`, `"output":{"message":{"content":[`+rmBlock+`]}},"output"`, 1), malformed},
		"output, another case":   {strings.Replace(body("tool_use", rmBlock), `"output"`, `"Output"`, 1), malformed},
		"call beside the output": {strings.Replace(body("tool_use", `{"text":"x"}`), `"usage"`, `"toolUse":{"name":"rm"},"usage"`, 1), malformed},
		"call in the output":     {strings.Replace(body("tool_use", `{"text":"x"}`), `"message"`, `"other":`+rmBlock+`,"message"`, 1), malformed},
		"call in the message":    {strings.Replace(body("tool_use", `{"text":"x"}`), `"role"`, `"other":`+rmBlock+`,"role"`, 1), malformed},
		"reason twice":           {strings.Replace(body("tool_use", rmBlock), `"usage"`, `"StopReason":"end_turn","usage"`, 1), malformed},
		"error":                  {`{"message":"no"}`, expected{}},
		"error with a call":      {`{"message":"no","content":[` + rmBlock + `]}`, malformed},
		"one frame of a stream":  {`{"contentBlockIndex":0,"start":` + rmBlock + `}`, malformed},
		"not JSON":               {`{"output":`, malformed},
		"not an object":          {`[` + body("tool_use", rmBlock) + `]`, malformed},
		"another format":         {`{"choices":[{"message":{"tool_calls":[{}]}}]}`, malformed},
	}
	format := subject(t)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			checkExpected(t, []byte(tt.body), true, tt.want)
			format.CheckAny(t, []byte(tt.body), frame.Whole)
		})
	}
}
