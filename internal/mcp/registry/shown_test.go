package registry

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// What a model is shown is a server's tool if it says so of itself, however the client wrote it.
func TestMatch(t *testing.T) {
	const (
		text = "Read the complete contents of a file from the file system."
		rich = `{"type":"object","properties":{"path":{"type":"string","description":"Where it is."},"head":{"type":"number"}},"required":["path"]}`
		one  = `{"type":"object","properties":{"path":{"type":"string"}}}`
		none = `{"type":"object","properties":{}}`
	)
	const own, ownText = `{"type":"object","properties":{"file_path":{"type":"string"},"limit":{"type":"integer"}}}`, "Reads a file of the workspace."
	for name, tt := range map[string]struct {
		description, schema string // of the server
		shown               call.Definition
		want                Match
	}{
		"as it is":                   {text, rich, call.Definition{Description: text, Schema: jsontext.Value(rich)}, Same},
		"in other white space":       {text, rich, call.Definition{Description: "  read the  complete\ncontents of a file from the file system"}, Same},
		"with words around it":       {text, rich, call.Definition{Description: "[files] " + text + " (MCP)"}, Same},
		"cut":                        {text, rich, call.Definition{Description: text[:40] + "..."}, Same},
		"described otherwise":        {text, rich, call.Definition{Description: ownText, Schema: jsontext.Value(rich)}, Same},
		"not described":              {text, one, call.Definition{Schema: jsontext.Value(one)}, Same},
		"as Gemini writes schemas":   {text, rich, call.Definition{Description: ownText, Schema: jsontext.Value(`{"type":"OBJECT","properties":{"head":{"type":"NUMBER"},"path":{"type":"STRING"}}}`)}, Same},
		"as strict schemas are":      {text, rich, call.Definition{Description: ownText, Schema: jsontext.Value(`{"additionalProperties":false,"properties":{"head":{"type":["number","null"]},"path":{"type":"string","description":"Where it is."}},"required":["path","head"]}`)}, Same},
		"same text, other schema":    {text, rich, call.Definition{Description: text, Schema: jsontext.Value(own)}, Same},
		"another":                    {text, rich, call.Definition{Description: ownText, Schema: jsontext.Value(own)}, Another},
		"another that takes a path":  {text, one, call.Definition{Description: ownText, Schema: jsontext.Value(one)}, Another},
		"another path":               {text, one, call.Definition{Description: ownText, Schema: jsontext.Value(`{"properties":{"path":{"type":"string","description":"Of the workspace."}}}`)}, Another},
		"another, not described":     {text, rich, call.Definition{Schema: jsontext.Value(own)}, Another},
		"another type":               {"", one, call.Definition{Schema: jsontext.Value(`{"properties":{"path":{"type":"array"}}}`)}, Another},
		"a short text in a long one": {"Reads.", rich, call.Definition{Description: "Reads. And more.", Schema: jsontext.Value(own)}, Another},
		"the provider's":             {text, rich, call.Definition{Provider: true}, Another},
		"nothing shown":              {text, rich, call.Definition{}, Untold},
		"nothing to compare":         {"", rich, call.Definition{Description: ownText}, Untold},
		"no arguments":               {"", none, call.Definition{Schema: jsontext.Value(none)}, Untold},
		"unreadable":                 {"", rich, call.Definition{Schema: jsontext.Value(`{"properties":{},"properties":{}}`)}, Untold},
	} {
		d := Definition{Name: "read_file", Description: tt.description, InputSchema: jsontext.Value(tt.schema)}
		expect.Equal(t, d.Match(tt.shown), tt.want, "%s", name)
	}
}

// FuzzMatch: a definition is itself, and whatever is shown is compared without trouble.
func FuzzMatch(f *testing.F) {
	f.Add("Reads a file.", `{"properties":{"path":{"type":"string"}}}`, "x", `{"properties":{"path":{"type":["STRING","null"]}}}`)
	f.Add("", `{"properties":[]}`, "…", `{"properties":{"a":1,"\ud800":{}}}`)
	f.Fuzz(func(t *testing.T, text, schema, shownText, shownSchema string) {
		d := Definition{Description: text, InputSchema: jsontext.Value(schema)}
		if got := d.Match(call.Definition{Description: text, Schema: jsontext.Value(schema)}); got == Another {
			t.Errorf("%q %s is not itself", text, schema)
		}
		d.Match(call.Definition{Description: shownText, Schema: jsontext.Value(shownSchema)})
	})
}
