package ollama_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/model/dialect/dialecttest"
)

// clients are the official ones.
func clients() []dialecttest.Client {
	// Kinds of calls that no client knows are missed.
	known := func(s dialecttest.Seen) bool { return s.Name != "future_call" && s.Name != "video" }
	return []dialecttest.Client{
		{Name: "ollama-js", Read: readJS, Knows: known},
		{Name: "the Go client", Read: readGo, Knows: known},
		{Name: "ollama-python", Read: readPython, Knows: known},
	}
}

// readJS cuts at line feeds, skips what is not JSON, hands over a last line that is not ended, and fails on any line
// with an error.
func readJS(stream []byte, _ []dialecttest.LooseEvent) ([]dialecttest.Seen, error) {
	var seen []dialecttest.Seen
	text := strings.TrimPrefix(strings.ToValidUTF8(string(stream), "\uFFFD"), "\uFEFF")
	for part := range strings.SplitSeq(text, "\n") {
		tree, err := dialecttest.ParseTree([]byte(part))
		if err != nil {
			continue
		}
		if len(tree.All("error")) > 0 && tree.Get("error").Kind != 0 {
			return seen, errors.New(tree.Get("error").Text)
		}
		seen = append(seen, lastWins(tree)...)
	}
	return seen, nil
}

// readPython cuts where Python ends lines, and fails on a line that is not JSON.
func readPython(stream []byte, _ []dialecttest.LooseEvent) ([]dialecttest.Seen, error) {
	var seen []dialecttest.Seen
	pairs := []string{"\r\n", "\n"}
	for _, end := range []string{"\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\u0085", "\u2028", "\u2029"} {
		pairs = append(pairs, end, "\n")
	}
	text := strings.NewReplacer(pairs...).Replace(string(stream))
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		tree, err := dialecttest.ParseTree([]byte(line))
		if err != nil {
			return seen, fmt.Errorf("line %q: %w", line, err)
		}
		if e := tree.Get("error"); e.Text != "" {
			return seen, errors.New(e.Text)
		}
		seen = append(seen, lastWins(tree)...)
	}
	return seen, nil
}

// lastWins are the calls of a line to a client that takes the last of two members.
func lastWins(root dialecttest.Tree) []dialecttest.Seen {
	var seen []dialecttest.Seen
	for _, c := range root.Get("message").Get("tool_calls").Values {
		fn := c.Get("function")
		if fn.Kind != '{' {
			continue // of a kind that it does not know
		}
		seen = append(seen, dialecttest.Seen{
			ID: c.Get("id").Text, Name: fn.Get("name").Text, Args: fn.Get("arguments").String(),
		})
	}
	return seen
}

// readGo decodes lines into structs, which does not mind case.
func readGo(stream []byte, _ []dialecttest.LooseEvent) ([]dialecttest.Seen, error) {
	var seen []dialecttest.Seen
	scanner := bufio.NewScanner(bytes.NewReader(stream))
	for scanner.Scan() {
		var line struct {
			Error   string
			Message struct {
				Content   string
				Thinking  string
				ToolCalls []struct {
					ID       string
					Function struct {
						Index     int
						Name      string
						Arguments map[string]json.RawMessage
					}
				} `json:"tool_calls"`
			}
			Response string
			Done     bool
		}
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			return seen, fmt.Errorf("line %q: %w", scanner.Text(), err)
		}
		if line.Error != "" {
			return seen, errors.New(line.Error)
		}
		for _, c := range line.Message.ToolCalls {
			if c.Function.Name == "" {
				continue
			}
			args, err := json.Marshal(c.Function.Arguments)
			if err != nil {
				return seen, err
			}
			seen = append(seen, dialecttest.Seen{ID: c.ID, Name: c.Function.Name, Args: dialecttest.Meaning(args)})
		}
	}
	return seen, scanner.Err()
}
