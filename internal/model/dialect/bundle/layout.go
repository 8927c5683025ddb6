package bundle

import (
	"bytes"
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// A shape is whose way to hold responses a frame follows.
type shape uint8

const (
	noShape      shape = iota
	anthropicRow       // custom_id, result.message
	openaiRow          // custom_id, response.body; other APIs do the same
	geminiRow          // key, response; or, elsewhere at Google, request and response
	operation          // inlinedResponses, somewhere below
	list               // of stored completions, of their messages, or of what a batch has to say
)

// The formats that wrappers tell of, by the names that they have.
const (
	anthropicName = "anthropic"
	geminiName    = "gemini"
)

// The words of the wrappers.
const (
	objectList = "list"
	inlined    = "inlinedResponses"
	operations = "operations"
)

// ways are the members of an operation that lead to its responses.
var ways = []string{"response", "metadata", "output", "dest"}

// wholes are the objects in a list that are whole responses.
var wholes = []string{"chat.completion", "text_completion", "response"}

func isWhole(object strictjson.Value) bool { return slices.ContainsFunc(wholes, object.Is) }

// A place is where a response stands in a frame.
type place struct {
	value strictjson.Value
	// format is the name of the one that the wrapper tells of; it is tried first. "": it tells of none.
	format string
	// only says that what no format recognises, or another than format, is refused.
	only bool
	// message says that it is a message of a completion, without the rest of it.
	message bool
	// operation and run are in which operation it stands, and in which of that one's lists.
	operation, run int
}

// A layout is what a frame holds.
type layout struct {
	shape  shape
	places []place
	// echoes repeat what the client has sent. What looks like a call in them was one, or is a definition.
	echoes []strictjson.Value

	operation, run int // those that were read last
}

// read finds the responses in a frame. It fails if readers could disagree on where they are; what is known of the shape by
// then stays.
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

// readList reads a list of stored completions or messages. All that is in it must be one or the other: what other APIs list
// is for others to read.
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
			l.places = append(l.places, place{value: elem, only: true})
		case role.Kind() == strictjson.String && !has(elem, "object") && !has(elem, "type"):
			l.places = append(l.places, place{value: elem, only: true, message: true})
		default:
			return dialect.Malformed("a list of responses or messages has something else in it")
		}
	}
	return nil
}

// readJob reads a batch that has its results in a list: as rows, or each below the name of what was asked for.
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
			// All of them are read: it does not matter which one a client takes.
			if v.Len() > 0 {
				l.places = append(l.places, place{value: v})
			}
		}
	}
	return nil
}

// readOperation reads an operation, or a list of them. The same responses may be in it more than once.
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

// readInlined reads a list of responses, which stands in an object that has its own name.
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
			l.places = append(l.places, place{value: response, format: geminiName, operation: l.operation, run: l.run})
		}
	}
	return nil
}

// readRow reads what a batch says of one request.
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

// readResult reads how a request of Anthropic's batches ended.
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
	l.places = append(l.places, place{value: message, format: anthropicName, only: true})
	return nil
}

// readResponse reads the response of a row, which is the model's or has it in its body.
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
			l.places = append(l.places, place{value: body})
		}
	case response.Kind() == strictjson.Object:
		l.shape = geminiRow
		if response.Len() > 0 {
			l.places = append(l.places, place{value: response, format: geminiName})
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

// isJSON says whether a string spells an object or an array.
func isJSON(v strictjson.Value) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(v.AppendText(nil), []byte("\ufeff")), " \t\r\n")
	var doc strictjson.Doc
	return len(text) > 0 && (text[0] == '{' || text[0] == '[') && doc.Parse(text) == nil || dialect.MentionsCall(text)
}

// member is one on the way to a response.
func member(v strictjson.Value, name string) (strictjson.Value, error) {
	m, err := v.Member(name)
	if err != nil {
		return strictjson.Value{}, dialect.Ambiguous()
	}
	return m, nil
}
