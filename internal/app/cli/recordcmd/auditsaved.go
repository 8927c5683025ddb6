package recordcmd

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/checkpoint"
)

// saved is what was saved about the record elsewhere.
type saved struct {
	heads       []record.Head
	checkpoints []checkpoint.Signed
}

// savedJSON is the JSON form of saved.
type savedJSON struct {
	Heads       []record.Head    `json:"heads"`
	Checkpoints []checkpointJSON `json:"checkpoints"` // the newest of each key
}

// A checkpointJSON is a checkpoint with its signature, which is over the checkpoint's text without white space.
type checkpointJSON struct {
	Checkpoint jsontext.Value `json:"checkpoint"`
	Signature  string         `json:"signature"`
}

func savedOf(heads []record.Head, checkpoints []checkpoint.Signed) savedJSON {
	k := savedJSON{Heads: heads}
	for _, c := range checkpoints {
		if jsontext.Value(c.Text).IsValid() { // an invalid checkpoint was already reported
			k.Checkpoints = append(k.Checkpoints, checkpointJSON{Checkpoint: c.Text, Signature: c.Signature})
		}
	}
	return k
}

// parseSaved parses what verify or export --heads printed, as text or as JSON.
func parseSaved(path string, data []byte) (saved, error) {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return parseSavedJSON(path, data)
	}
	var k saved
	for i, line := range strings.Split(string(data), "\n") {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		var err error
		switch word {
		case headWord:
			var h record.Head
			h, err = parseHead(rest)
			k.heads = append(k.heads, h)
		case checkpointWord:
			signature, text, _ := strings.Cut(rest, " ")
			var c checkpoint.Signed
			c, err = checkpoint.ReadSigned([]byte(strings.TrimSpace(text)), signature)
			k.checkpoints = append(k.checkpoints, c)
		}
		if err != nil {
			return saved{}, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
	}
	return k, nil
}

func parseHead(text string) (record.Head, error) {
	f := strings.Fields(text)
	if len(f) == 3 {
		if seq, err := strconv.ParseInt(f[1], 10, 64); err == nil {
			return record.Head{Chain: f[0], Seq: seq, Hash: f[2]}, nil
		}
	}
	return record.Head{}, fmt.Errorf("not a head; expected: %s CHAIN SEQ HASH", headWord)
}

func parseSavedJSON(path string, data []byte) (saved, error) {
	var read savedJSON
	if err := json.Unmarshal(data, &read); err != nil {
		return saved{}, fmt.Errorf("%s: this is not the output of weir audit verify or weir audit export --heads: %w", path, err)
	}
	k := saved{heads: read.Heads}
	for i, c := range read.Checkpoints {
		text := c.Checkpoint.Clone()
		err := text.Compact()
		var s checkpoint.Signed
		if err == nil {
			s, err = checkpoint.ReadSigned(text, c.Signature)
		}
		if err != nil {
			return saved{}, fmt.Errorf("%s: checkpoints[%d]: %w", path, i, err)
		}
		k.checkpoints = append(k.checkpoints, s)
	}
	return k, nil
}
