// Package weirtest runs scenarios: one behaviour each, written as a file, played through a whole weir.
//
// A scenario is a txtar archive: prose on top, then files. What goes in:
//
//	policy.yaml     the policy; absent: everything is allowed
//	weir.yaml       more configuration; ${UPSTREAM} is the scripted upstream's address, which also those that are built in have
//	script          what happens beside the exchange, one act a line; see script
//	request.http    method and target, then headers ("-": not sent, though clients do); absent: POST /anthropic/v1/messages;
//	                ${GENERATE} in it is the verb, and the query, by which Gemini's clients ask for the form; so are ${CONVERSE} and
//	                ${INVOKE} for Amazon Bedrock
//	request.json    the request's body; absent: an ordinary one in the format that the path asks for
//	upstream.http   the answer's status, then headers; absent: 200 and the content type of the form
//	upstream.sse    the answer as a stream of events
//	upstream.array  the answer as a JSON array that grows
//	upstream.ndjson the answer as lines of JSON
//	upstream.aws    the answer as a binary event stream, one message a line; see below
//	upstream.json   the answer as a whole body; several of these: the scenario is played in each form
//	upstream.txt    the answer as a text that is none of them
//
// and what must come out:
//
//	client.http     status, then headers by name ("-": must be absent), then ":broken" if the response must break off;
//	                absent: 200 and a clean end
//	client.sse      the body, byte for byte, or "(as upstream)"; also client.array, client.ndjson, client.aws, client.json,
//	                client.txt; absent: no body
//	asked.http      method and target that the upstream saw, then headers by name; absent: only that it was asked once
//	asked.json      the body that the upstream saw; absent: the one that the client sent
//	events.jsonl    the record, one event a line, without what differs from run to run; of a result, with the exchange in which
//	                the call was asked for that it answers. A refusal and the arguments that followed it are one event
//
// A name with the form before its last part, such as events.sse.jsonl, is for that form of the upstream alone. If several forms share
// their events, they must be alike: every stream that the client got, folded, must be the body that it got.
//
// A scenario may go on: the files of its second exchange are called 2/request.json and so on, those of the third one 3/….
// All exchanges of a run meet the same weir. 2/policy.yaml is put in force before the second exchange, under the running
// weir; "restart" in 2/script ends it before the exchange and starts another one on the same store, by 2/weir.yaml if there is
// one. An exchange without an answer in the form of the run has the one that it has.
//
// Ids that weir makes up end in ID. In a later request, resp_weir_ID stands for the response that weir made up last.
//
// In bodies, «0D 0A» stands for these bytes, «78*5» for five of them, and «end» at the end of a file means that
// its last line has no line end. Of JSON bodies and arrays, the last line end is not part.
//
// A message of a binary event stream is an event as "name {…}", an exception as "!name {…}", or an error as "!!code text". In
// "chunk {…}" the payload is what is wrapped in the chunk, in "chunk+abc {…}" there is the padding abc beside it, and "chunk= {…}"
// states the payload itself. Behind a message, «prelude» and «checksum» make that checksum wrong, «cut» leaves out its end,
// «header» adds a header and «twice» repeats one. A line that begins with « is bytes and no message.
//
// # MCP
//
// A scenario with a client.jsonl is one of an MCP client and a server that weir mcp wrap runs. What goes in, beside policy.yaml,
// weir.yaml and script:
//
//	server.jsonl      what the server does, one act a line; see act. {"on":"tools/call","name":"x","result":{…}} is its answer to calls of
//	                  x; {"server":"other"} gives it another id than "files". What it does not name it does as servers usually do
//	client.jsonl      what the client does, one line after the other: a message, which is sent as it is, and whose answer is awaited if it
//	                  is a request; or {"send":…}, {"wait":id}, {"await":method}; see directive
//
// and what must come out:
//
//	client.out.jsonl  what the client got, in the order in which it asked for it, then the rest, sorted; then how the server ended,
//	                  if not well
//	server.got.jsonl  what the server got
//	events.jsonl      the record
//
// A scenario may go on: 2/client.jsonl is that of a second session, with a server that is started anew.
//
// Whatever a scenario says: keys that the agent or the configuration holds are in no line of the log and in no event.
package weirtest

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/weir-gate/weir/internal/weirtest/fold"
)

// A form is how an answer is sent.
type form = fold.Kind

const (
	stream  = fold.Events
	array   = fold.Array
	rows    = fold.Lines
	parcels = fold.Packets
	whole   = fold.Whole

	plain form = "txt"
	none  form = "" // there is no answer
)

// answers are the forms in which an upstream answers; readable, those of which a client can make a message.
var (
	answers  = []form{stream, array, rows, parcels, whole, plain}
	readable = []form{stream, array, rows, parcels, whole}
)

// A scenario is one file.
type scenario struct {
	path      string
	archive   *txtar.Archive
	exchanges []*exchange
}

// inputs are the names of files that say what goes in; outputs, what must come out.
var (
	inputs = []string{
		"policy.yaml", "weir.yaml", "script", "request.http", "request.json",
		"upstream.http", "upstream.sse", "upstream.array", "upstream.ndjson", "upstream.aws", "upstream.json", "upstream.txt",
	}
	mcpInputs  = []string{"policy.yaml", "weir.yaml", "script", "server.jsonl", "client.jsonl"}
	mcpOutputs = []string{"client.out.jsonl", "server.got.jsonl", "events.jsonl"}
	outputs    = []string{
		"client.http", "client.sse", "client.array", "client.ndjson", "client.aws", "client.json", "client.txt",
		"asked.http", "asked.json", "events.jsonl",
	}
)

func load(path string) (*scenario, error) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return nil, fmt.Errorf("read scenario: %w", err)
	}
	if len(bytes.TrimSpace(archive.Comment)) == 0 {
		return nil, fmt.Errorf("%s: the prose on top is missing", path)
	}
	seen, last := map[string]bool{}, 1
	for _, f := range archive.Files {
		number, name := numbered(f.Name)
		if number == 0 || !hasFile(archive, name) {
			return nil, fmt.Errorf("%s: no scenario has a file %s", path, f.Name)
		}
		if seen[f.Name] {
			return nil, fmt.Errorf("%s: %s is there twice", path, f.Name)
		}
		seen[f.Name] = true
		last = max(last, number)
	}
	s := &scenario{path: path, archive: archive}
	for number := range last {
		x := &exchange{scenario: s, number: number + 1}
		if x.script, err = parseScript(x.text("script", none)); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if err := x.check(); err != nil {
			return nil, fmt.Errorf("%s: exchange %d: %w", path, x.number, err)
		}
		s.exchanges = append(s.exchanges, x)
	}
	return s, nil
}

// order is that of the files of a scenario.
func order(archive *txtar.Archive) []string {
	if isMCP(archive) {
		return slices.Concat(mcpInputs, mcpOutputs)
	}
	return slices.Concat(inputs, outputs)
}

// hasFile says whether scenarios like this one have a file of that name.
func hasFile(archive *txtar.Archive, name string) bool {
	if !isMCP(archive) {
		name = general(name)
	}
	return slices.Contains(order(archive), name)
}

// numbered cuts the number of its exchange off a file's name; 0: it has none such.
func numbered(name string) (number int, rest string) {
	before, rest, ok := strings.Cut(name, "/")
	if !ok {
		return 1, name
	}
	number, err := strconv.Atoi(before)
	if err != nil || number < 2 || strconv.Itoa(number) != before {
		return 0, name
	}
	return number, rest
}

// general is a file's name without the form that it is for.
func general(name string) string {
	parts := strings.Split(name, ".")
	if len(parts) == 3 {
		return parts[0] + "." + parts[2]
	}
	return name
}

// special is the name of a file for one form alone.
func special(name string, f form) string {
	base, ext, _ := strings.Cut(name, ".")
	return base + "." + string(f) + "." + ext
}

// forms are those in which some exchange is answered.
func (s *scenario) forms() []form {
	var list []form
	for _, f := range append(slices.Clone(answers), none) {
		if slices.ContainsFunc(s.exchanges, func(x *exchange) bool { return slices.Contains(x.forms(), f) }) {
			list = append(list, f)
		}
	}
	if len(list) > 1 && list[len(list)-1] == none {
		list = list[:len(list)-1] // an exchange without an answer is one beside the others
	}
	return list
}

// save writes the scenario back, exchange by exchange, its files in the order of inputs and outputs.
func (s *scenario) save() error {
	order, kind := order(s.archive), general
	if s.isMCP() {
		kind = func(name string) string { return name }
	}
	slices.SortStableFunc(s.archive.Files, func(a, b txtar.File) int {
		first, nameA := numbered(a.Name)
		second, nameB := numbered(b.Name)
		return cmp.Or(
			cmp.Compare(first, second),
			cmp.Compare(slices.Index(order, kind(nameA)), slices.Index(order, kind(nameB))),
		)
	})
	return os.WriteFile(s.path, txtar.Format(s.archive), 0o644)
}
