package declared

import (
	"slices"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Schema is the JSON Schema of one declaration.
func Schema() yamlfile.Schema {
	text, texts := yamlfile.TextSchema(), yamlfile.OneOrMoreSchema(yamlfile.TextSchema())
	out := serverShape.Schema(map[string]yamlfile.Schema{
		"id": yamlfile.Schema{"type": "string", "pattern": serverID.String()}.
			Describe("Names the server in rules, records and addresses (/mcp/ID); unique, in any case."),
		"type": typeWords.Schema().Describe(
			"stdio: a process that weir starts; http: Streamable HTTP; sse: the older HTTP with server-sent events."),
		"timeout": text.Describe("How long the server may take until its response begins, such as 30s; up to an hour.").Default("10m"),
		"command": text.Describe("The program that is the server."),
		"args":    yamlfile.Schema{"type": "array", "items": yamlfile.Schema{"type": "string"}}.Describe("Its arguments."),
		"env":     envSchema(texts).Describe("Which variables of the environment the process gets."),
		"dir":     text.Describe("The folder in which it starts."),
		"url":     text.Describe("Where the server is: http or https, without user and fragment."),
		"tls_fingerprint": yamlfile.Schema{"type": "string", "pattern": fingerprint.String()}.
			Describe("The only certificate that is taken."),
		"allow_addresses": texts.Describe("Addresses that may be dialled though they are link-local or a cloud's metadata."),
		"auth":            authSchema(text, texts).Describe("What weir shows the server."),
	})
	var demands []yamlfile.Schema
	for _, word := range typeWords.Words {
		needed := []string{"url"}
		if word == Stdio {
			needed = []string{"command"}
		}
		demands = append(demands, yamlfile.When("type", []string{word},
			yamlfile.Schema{"required": needed, "properties": others(serverShape.Optional[1:], typeKeys[word])}, nil))
	}
	out["allOf"] = demands
	return out
}

// others forbids all keys except the own ones.
func others(all, own []string) yamlfile.Schema {
	out := yamlfile.Schema{}
	for _, key := range all {
		if !slices.Contains(own, key) {
			out[key] = false
		}
	}
	return out
}

func envSchema(texts yamlfile.Schema) yamlfile.Schema {
	out := envShape.Schema(map[string]yamlfile.Schema{
		"allow": texts.Describe("Names or globs of variables that the process gets, besides those that programs cannot do without; " +
			"without it all but weir's own."),
		"deny": texts.Describe("Names or globs; wins over allow."),
		"set": yamlfile.Schema{
			"type": "object", "additionalProperties": yamlfile.Schema{"type": "string"},
			"propertyNames": yamlfile.Schema{"pattern": variableName.String()},
		}.Describe("Variables with their values."),
	})
	out["minProperties"] = 1
	return out
}

func authSchema(text, texts yamlfile.Schema) yamlfile.Schema {
	out := authShape.Schema(map[string]yamlfile.Schema{
		"type":          authWords.Schema().Describe("How weir proves itself to the server."),
		"token":         text.Describe("The bearer token."),
		"username":      text.Describe("The user."),
		"password":      text.Describe("The password."),
		"in":            placeWords.Schema().Describe("Where the API key is put.").Default(InHeader),
		"name":          text.Describe("The name of the header, parameter or cookie."),
		"value":         text.Describe("The API key."),
		"token_url":     text.Describe("Where weir gets a token."),
		"client_id":     text.Describe("The id of the client."),
		"client_secret": text.Describe("The secret of the client."),
		"scopes":        texts.Describe("What the token is for."),
		"resource":      text.Describe("The server that the token is for."),
	})
	var demands []yamlfile.Schema
	for _, word := range authWords.Words {
		keys := authKeys[word]
		demand := yamlfile.Schema{"properties": others(authShape.Optional, slices.Concat(keys.required, keys.optional))}
		if keys.required != nil {
			demand["required"] = keys.required
		}
		demands = append(demands, yamlfile.When("type", []string{word}, demand, nil))
	}
	out["allOf"] = demands
	return out
}
