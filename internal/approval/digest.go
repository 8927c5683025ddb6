package approval

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
)

// A Digest is a SHA-256 sum, as "sha256:" and hexadecimal digits.
type Digest string

func digest(data []byte) Digest {
	sum := sha256.Sum256(data)
	return Digest("sha256:" + hex.EncodeToString(sum[:]))
}

// A Matter is what makes two calls the same for an approval. A yes for one is a yes for the other.
type Matter struct {
	Org      string         `json:"org"`
	Employee string         `json:"employee"`
	Key      string         `json:"key"`
	Surface  call.Surface   `json:"surface"`
	Server   string         `json:"server"`
	Tools    []string       `json:"tools"`  // the name and every other reading of it, as judged
	Folder   string         `json:"folder"` // relative paths mean something else elsewhere
	Args     jsontext.Value `json:"args"`   // what of the arguments counts
	Beside   jsontext.Value `json:"beside"`
	Rules    string         `json:"rules"` // a digest of the text of the rules that ask
}

// MatterOf is a call, without what rules say of it.
func MatterOf(c call.Call) Matter {
	return Matter{
		Org: c.Actor.Org, Employee: c.Actor.Employee, Key: c.Actor.Key, Surface: c.Surface, Server: c.Server,
		Tools: append([]string{c.Tool}, c.Aliases...), Args: c.Args, Beside: c.MCP.Beside,
	}
}

// Match is the digest of the matter. The order of members, white space and the way in which characters are escaped make no difference;
// numbers count as they are written. It fails if the arguments are no strict JSON: nobody can tell what they mean.
func (m Matter) Match() (Digest, error) {
	for _, v := range []*jsontext.Value{&m.Args, &m.Beside} {
		canonical, err := Canonical(*v)
		if err != nil {
			return "", err
		}
		*v = canonical
	}
	text, err := json.Marshal(m, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return "", fmt.Errorf("digest of a call: %w", err)
	}
	return digest(text), nil
}

// Canonical is a JSON value with its members in order and without white space, escaped in one way, and with numbers as they are written.
// Nothing at all is null.
func Canonical(v jsontext.Value) (jsontext.Value, error) {
	if len(bytes.TrimSpace(v)) == 0 {
		return jsontext.Value("null"), nil
	}
	out := jsontext.Value(bytes.Clone(v))
	err := out.Format(
		jsontext.ReorderRawObjects(true), jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false),
		jsontext.PreserveRawStrings(false), jsontext.Multiline(false),
		jsontext.SpaceAfterColon(false), jsontext.SpaceAfterComma(false),
	)
	if err != nil {
		return nil, fmt.Errorf("canonical form of arguments: %w", err)
	}
	return out, nil
}

// Digest is over everything that the card shows.
func (c Card) Digest() (Digest, error) {
	text, err := json.Marshal(c, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return "", fmt.Errorf("digest of a card: %w", err)
	}
	return digest(text), nil
}
