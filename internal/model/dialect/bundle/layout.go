package bundle

import (
	"bytes"
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A shape is the way in which a frame holds responses.
type shape uint8

const (
	noShape      shape = iota
	anthropicRow       // custom_id, result.message
	openaiRow          // custom_id, response.body; other APIs do the same
	geminiRow          // key, response; or, elsewhere at Google, request and response
	operation          // inlinedResponses, at some depth
	list               // a list of stored completions, of their messages, or of the results of a batch
)

// The names of the formats that wrappers show.
const (
	anthropicName = "anthropic"
	geminiName    = "gemini"
)

// Names and values in wrappers.
const (
	objectList = "list"
	inlined    = "inlinedResponses"
	operations = "operations"
)

// ways are the members on the path from an operation to its responses.
var ways = []string{"response", "metadata", "output", "dest"}

// wholes are the objects in a list that are whole responses.
var wholes = []string{"chat.completion", "text_completion", "response"}

func isWhole(object strictjson.Value) bool { return slices.ContainsFunc(wholes, object.Is) }

// An entry is a response in a frame, with what its wrapper says about it.
type entry struct {
	value strictjson.Value
	// format is the name of the format that the wrapper shows; it is tried first. "": it shows none.
	format string
	// only says that a response that is not in format, or in no known format, is refused.
	only bool
	// message says that it is only the message of a completion.
	message bool
	// operation and run are the numbers of its operation, and of the list in that operation.
	operation, run int
}

// A layout is the contents of a frame.
type layout struct {
	shape   shape
	entries []entry
	// echoes repeat what the client has sent. A shape of a call in them is an old call, or a definition.
	echoes []strictjson.Value

	operation, run int // the latest numbers
}

// read finds the responses in a frame. It fails if readers could disagree on their positions. l.shape is set as far as it is known
// by then.
func (l *layout) read(root strictjson.Value) error {
	if err := l.readList(root); err != nil || l.shape != noShape {
		return err
	}
	switch {
	case looksLikeJob(root):
		err := l.readJob(root)
		l.shape = list
		return err
	case leadsToInlined(root):
		l.shape = operation
		return l.readOperation(root)
	}
	return l.readRow(root)
}

// readList reads a list of stored completions or messages. All its elements must be one or the other: lists of other APIs are not
// handled here.
func (l *layout) readList(root strictjson.Value) error {
	if !looksLikeList(root) {
		return nil
	}
	l.shape = list
	data, err := member(root, "data")
	if err != nil {
		return err
	}
	if _, err := member(root, "object"); err != nil {
		return err
	}
	for elem := range data.Elems() {
		object, err := member(elem, "object")
		if err != nil {
			return err
		}
		role, err := member(elem, "role")
		if err != nil {
			return err
		}
		switch {
		case isWhole(object):
			l.entries = append(l.entries, entry{value: elem, only: true})
		case role.Kind() == strictjson.String && !has(elem, "object") && !has(elem, "type"):
			l.entries = append(l.entries, entry{value: elem, only: true, message: true})
		default:
			return dialect.Malformed("a list of responses or messages has something else in it")
		}
	}
	return nil
}

// readJob reads a batch with its results in a list: as rows, or each below the name of the request.
func (l *layout) readJob(root strictjson.Value) error {
	outputs, err := member(root, "outputs")
	if err != nil {
		return err
	}
	for elem := range outputs.Elems() {
		if err := l.readRow(elem); err != nil {
			return err
		}
	}
	results, err := member(root, "results")
	if err != nil {
		return err
	}
	for elem := range results.Elems() {
		result, err := member(elem, "batch_result")
		if err != nil {
			return err
		}
		response, err := member(result, "response")
		if err != nil {
			return err
		}
		for _, v := range response.Members() {
			// All of them are read: it does not matter which one a client uses.
			if v.Len() > 0 {
				l.entries = append(l.entries, entry{value: v})
			}
		}
	}
	return nil
}

// readOperation reads an operation, or a list of operations. The same responses may be in it more than once.
func (l *layout) readOperation(v strictjson.Value) error {
	if err := l.readInlined(v); err != nil {
		return err
	}
	input, err := member(v, "inputConfig")
	if err != nil {
		return err
	}
	l.echo(input)
	for _, way := range ways {
		m, err := member(v, way)
		if err == nil && m.Kind() == strictjson.Object {
			err = l.readOperation(m)
		}
		if err != nil {
			return err
		}
	}
	list, err := member(v, operations)
	if err != nil {
		return err
	}
	for elem := range list.Elems() {
		l.operation++
		if err := l.readOperation(elem); err != nil {
			return err
		}
	}
	return nil
}

// readInlined reads a list of responses, which may be inside of an object of the same name.
func (l *layout) readInlined(v strictjson.Value) error {
	list, err := member(v, inlined)
	if err == nil && list.Kind() == strictjson.Object {
		list, err = member(list, inlined)
	}
	if err != nil {
		return err
	}
	l.run++
	for elem := range list.Elems() {
		response, err := member(elem, "response")
		if err != nil {
			return err
		}
		if response.Len() > 0 {
			l.entries = append(l.entries, entry{value: response, format: geminiName, operation: l.operation, run: l.run})
		}
	}
	return nil
}

// readRow reads the row of one request of a batch.
func (l *layout) readRow(root strictjson.Value) error {
	switch {
	case has(root, "custom_id") && has(root, "result"):
		l.shape = anthropicRow
	case has(root, "custom_id"):
		l.shape = openaiRow
	case has(root, "key"):
		l.shape = geminiRow
	}
	result, err := member(root, "result")
	if err != nil {
		return err
	}
	if result.Kind() == strictjson.Object {
		if err := l.readResult(result); err != nil {
			return err
		}
	}
	response, err := member(root, "response")
	if err != nil || response.Kind() == strictjson.Missing {
		return err
	}
	request, err := member(root, "request")
	if err != nil {
		return err
	}
	if l.echo(request); len(l.echoes) > 0 && l.shape == noShape {
		l.shape = geminiRow
	}
	return l.readResponse(response)
}

// readResult reads the result of a request in one of Anthropic's batches.
func (l *layout) readResult(result strictjson.Value) error {
	l.shape = anthropicRow
	kind, err := member(result, "type")
	if err != nil {
		return err
	}
	message, err := member(result, "message")
	switch {
	case err != nil:
		return err
	case message.Kind() == strictjson.String && isJSON(message):
		return dialect.Malformed("the message of a result is JSON inside a string")
	case message.Kind() != strictjson.Object:
		return nil
	case !kind.Is("succeeded"):
		return dialect.Malformed("a result that is no success has a message")
	}
	l.entries = append(l.entries, entry{value: message, format: anthropicName, only: true})
	return nil
}

// readResponse reads the response of a row: the model's response itself, or an object that has it in its body.
func (l *layout) readResponse(response strictjson.Value) error {
	body, err := member(response, "body")
	switch {
	case err != nil:
		return err
	case body.Kind() == strictjson.String && isJSON(body):
		return dialect.Malformed("the body of a response is JSON inside a string")
	case body.Kind() != strictjson.Missing:
		l.shape = openaiRow
		if body.Len() > 0 {
			l.entries = append(l.entries, entry{value: body})
		}
	case response.Kind() == strictjson.Object:
		l.shape = geminiRow
		if response.Len() > 0 {
			l.entries = append(l.entries, entry{value: response, format: geminiName})
		}
	}
	return nil
}

// echo notes a value that repeats what the client has sent.
func (l *layout) echo(v strictjson.Value) {
	if v.Len() > 0 {
		l.echoes = append(l.echoes, v)
	}
}

// isJSON says whether a string is the text of an object or an array.
func isJSON(v strictjson.Value) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(v.AppendText(nil), []byte("\ufeff")), " \t\r\n")
	var doc strictjson.Doc
	return len(text) > 0 && (text[0] == '{' || text[0] == '[') && doc.Parse(text) == nil || dialect.MentionsCall(text)
}

// member returns a member on the path to a response.
func member(v strictjson.Value, name string) (strictjson.Value, error) {
	m, err := v.Member(name)
	if err != nil {
		return strictjson.Value{}, dialect.Ambiguous()
	}
	return m, nil
}
