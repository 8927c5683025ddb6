package registry

import (
	"crypto/sha256"
	"encoding/hex"
)

// A Hash identifies a definition: two definitions with the same hash say the same to a model. It begins with the version of the
// hash method, "weirtool1:", so that hashes of different methods are never equal.
type Hash string

// The prefixes of hashes. They are part of the hashed bytes, so that hashes of different kinds differ.
const (
	toolHash = "weirtool1:"
	bodyHash = "weirbody1:"
)

// Hash is over the name, title, description, schemas and annotations only. It does not cover the server, so that the same tool on
// two servers has the same hash, nor Meta and Other.
func (d *Definition) Hash() Hash { return hashOf(toolHash, d.appendHashed(nil, true)) }

// body is the hash of everything except the name, by which a renamed tool is recognised.
func (d *Definition) body() Hash { return hashOf(bodyHash, d.appendHashed(nil, false)) }

func hashOf(kind string, text []byte) Hash {
	sum := sha256.Sum256(append([]byte(kind), text...))
	return Hash(kind + hex.EncodeToString(sum[:]))
}

// appendHashed appends the canonical object that is hashed.
func (d *Definition) appendHashed(dst []byte, named bool) []byte {
	name := ""
	if named {
		name = d.Name
	}
	dst = append(dst, '{')
	for _, m := range []struct {
		name string
		json []byte
		text string
	}{ // in canonical order
		{"annotations", d.Annotations, ""},
		{"description", nil, d.Description},
		{"inputSchema", d.InputSchema, ""},
		{"name", nil, name},
		{"outputSchema", d.OutputSchema, ""},
		{"title", nil, d.Title},
	} {
		if m.json == nil && m.text == "" {
			continue
		}
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, m.name), ':')
		if m.json != nil {
			dst = append(dst, m.json...)
		} else {
			dst = appendString(dst, m.text)
		}
	}
	return append(dst, '}')
}
