package policycmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/run/agent/transcript"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
)

// lineForm is how --line is written.
const lineForm = "FILE:N, or FILE:N:K for the Kth call of the line; DATABASE:ROW for opencode; - or -:K for a line on standard input"

// A linePlace is a call in a line of a transcript.
type linePlace struct {
	file  string // "-": standard input
	line  int    // from 1
	which int    // of the calls in the line, from 1; 0: the only one
}

func parseLinePlace(text string) (linePlace, error) {
	p := linePlace{line: 1}
	rest, last, numbered := cutNumber(text)
	switch before, n, both := cutNumber(rest); {
	case rest == "-" && numbered:
		p.file, p.which = rest, last
	case text == "-":
		p.file = text
	case both && numbered:
		p.file, p.line, p.which = before, n, last
	case numbered:
		p.file, p.line = rest, last
	}
	if p.file == "" {
		return linePlace{}, fmt.Errorf("%q names no line; write %s", text, lineForm)
	}
	return p, nil
}

// cutNumber cuts a number of at least 1 after the last colon.
func cutNumber(text string) (before string, n int, ok bool) {
	at := strings.LastIndexByte(text, ':')
	if at < 0 {
		return text, 0, false
	}
	n, err := strconv.Atoi(text[at+1:])
	return text[:at], n, err == nil && n > 0
}

// maxExplained bounds a line that is explained.
const maxExplained = 32 << 20

// read returns the line.
func (p linePlace) read(stdin io.Reader) ([]byte, error) {
	in := stdin
	if p.file != "-" {
		f, err := os.Open(p.file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxExplained)
	for n := 1; lines.Scan(); n++ {
		if n == p.line {
			return lines.Bytes(), nil
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%s has no line %d", p.file, p.line)
}

// isLine says that a text names a part of a file that exists, or a line on standard input.
func isLine(text string) bool {
	if file, _, ok := cutRow(text); ok {
		return isFile(file)
	}
	if at := strings.LastIndexByte(text, ':'); at > 0 && isFile(text[:at]) {
		return true // also with what is no line: that is an error, and no command
	}
	if strings.HasSuffix(text, ".json") && isFile(text) {
		return true
	}
	place, err := parseLinePlace(text)
	return err == nil && (place.file == "-" || isFile(place.file))
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// cutRow divides what names a row of a database.
func cutRow(text string) (file, row string, ok bool) {
	at := strings.LastIndexByte(text, ':')
	if at < 0 || !strings.HasSuffix(text[:at], ".db") {
		return "", "", false
	}
	return text[:at], text[at+1:], true
}

// callInDocument is a call in a session of the Gemini CLI that is one document, by its id; "": its only one. found says whether the file is
// such a session.
func callInDocument(ctx context.Context, text string) (c transcript.Call, found bool, err error) {
	file, id := text, ""
	if at := strings.LastIndex(text, ".json:"); at >= 0 {
		file, id = text[:at+len(".json")], text[at+len(".json:"):]
	}
	if filepath.Ext(file) != ".json" || !strings.HasPrefix(filepath.Base(file), "session-") {
		return c, false, nil
	}
	const agent = "gemini"
	around, err := surroundings()
	if err != nil {
		return c, true, err
	}
	r, err := transcript.NewReading(transcript.Selection{Agent: agent, Around: around, Path: file, Servers: serversOf(agent, around)})
	if err != nil {
		return c, true, err
	}
	var ids []string
	for one, err := range r.All(ctx) {
		if err != nil || id != "" && one.ID == id {
			return one, true, err
		}
		c, ids = one, append(ids, inert.Name(one.ID, 80))
	}
	switch {
	case len(ids) == 0:
		return c, true, fmt.Errorf("%s has no call of a tool, or cannot be read", file)
	case id == "" && len(ids) == 1:
		return c, true, nil
	default:
		return c, true, fmt.Errorf("%s has %s; say which by its id, such as %s:%s", file, quantity.Count(len(ids), "call"), file, ids[0])
	}
}

// fromTranscript returns the call in a line, or row, of a transcript.
func (f *explainFlags) fromTranscript(ctx context.Context, stdin io.Reader) (act, error) {
	find := func() (transcript.Call, error) { return callInLine(f.line, stdin) }
	if file, row, ok := cutRow(f.line); ok {
		find = func() (transcript.Call, error) { return callInRow(ctx, file, row) }
	}
	c, found, err := callInDocument(ctx, f.line)
	if !found {
		c, err = find()
	}
	if err != nil {
		return act{}, exit.WrongInput(fmt.Errorf("--line: %w", err))
	}
	if c.Trouble != "" {
		return act{}, exit.WrongInput(fmt.Errorf("--line: the arguments: %s; such a call is refused as %s, whatever the policy says", c.Trouble,
			call.CodeArgsUnreadable))
	}
	a := actOf(c)
	a.event.Actor, err = parseWho(f.who)
	return a, exit.WrongInput(err)
}

// callInRow is the call in a row of a database of opencode.
func callInRow(ctx context.Context, file, row string) (transcript.Call, error) {
	const agent = "opencode"
	around, err := surroundings()
	if err != nil {
		return transcript.Call{}, err
	}
	r, err := transcript.NewReading(transcript.Selection{Agent: agent, Around: around, Path: file, Servers: serversOf(agent, around)})
	if err != nil {
		return transcript.Call{}, err
	}
	for c, err := range r.All(ctx) {
		if err != nil || c.Row == row {
			return c, err
		}
	}
	return transcript.Call{}, fmt.Errorf("%s has no call in a row %s", file, inert.Name(row, 80))
}

// callInLine is a call in a line of a transcript.
func callInLine(text string, stdin io.Reader) (transcript.Call, error) {
	place, err := parseLinePlace(text)
	if err != nil {
		return transcript.Call{}, err
	}
	line, err := place.read(stdin)
	if err != nil {
		return transcript.Call{}, err
	}
	calls, err := transcript.CallsIn(line)
	switch {
	case err != nil:
		err = errors.New("the line is no JSON of a transcript that weir can read; name the line as weir policy replay --from does")
	case err == nil && len(calls) == 0:
		err = errors.New("the line has no call of a tool, or is of no transcript that weir can read")
	case err == nil && place.which > len(calls), err == nil && place.which == 0 && len(calls) > 1:
		err = fmt.Errorf("the line has %s; say which, such as %s:%d:1", quantity.Count(len(calls), "call"), place.file, place.line)
		if place.file == "-" {
			err = fmt.Errorf("the line has %s; say which, such as -:1", quantity.Count(len(calls), "call"))
		}
	}
	if err != nil {
		return transcript.Call{}, err
	}
	return calls[max(0, place.which-1)], nil
}
