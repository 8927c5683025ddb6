package bedrock

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/test/clients"
)

// modelName has a colon, as most models of the service do.
const modelName = "anthropic.claude-scripted-20260101-v1:0"

// profileName is the model as a resource of an account, whose name has a slash.
const profileName = "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us." + modelName

// An answer is the model's turn as a client has it, in the words of Claude's own format.
type answer struct {
	Content    []seenBlock `json:"content"`
	StopReason string      `json:"stop_reason"`
}

// Calls implements clients.Turn.
func (a answer) Calls() []clients.Call {
	var list []clients.Call
	for _, b := range a.Content {
		if b.Type == "tool_use" || b.Type == "server_tool_use" {
			list = append(list, clients.Call{ID: b.ID, Name: b.Name, Args: b.Input})
		}
	}
	return list
}

// What kinds of clients differ in.
const (
	streams  = "streams"
	native   = "native"   // it asks for Claude's own format
	provider = "provider" // it can tell what the provider ran
	profile  = "profile"  // it names the model by its resource name
	signs    = "signs"    // it says what its body is like, and signs that
	names    = "names"    // it names errors as the service does
	brief    = "brief"    // it differs from another kind only in how it connects
)

// kind is a way to use an SDK.
func kind(name string, skills ...string) clients.Kind {
	return clients.Kind{Name: name, Streamed: slices.Contains(skills, streams), Upstream: "bedrock", Skills: skills}
}

// unsigned is a kind that shows nothing.
func unsigned(name string, skills ...string) clients.Kind {
	k := kind(name, skills...)
	k.Shows = func(sent map[string]string) error {
		if len(sent) > 0 {
			return fmt.Errorf("credentials %v, want none", sent)
		}
		return nil
	}
	return k
}

// signed is a kind that signs.
func signed(name string, skills ...string) clients.Kind {
	k := kind(name, skills...)
	k.Shows = func(sent map[string]string) error {
		if len(sent) != 1 || !strings.HasPrefix(sent["Authorization"], "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/") {
			return errors.New("the signature is not the client's")
		}
		return nil
	}
	return k
}

var programs = []clients.Program{
	clients.JavaScript("bedrock",
		kind("aws-converse-stream", streams, provider, names), kind("aws-converse-whole", provider, names),
		kind("aws-invoke-stream", streams, native, provider, names), kind("aws-invoke-whole", native, provider, names),
		kind("aws-env-stream", streams, profile, brief), kind("aws-profile-invoke", streams, native, profile, brief),
		unsigned("aws-unsigned-stream", streams, brief), unsigned("aws-unsigned-invoke", native, brief),
		signed("aws-signed-stream", streams, signs, brief), signed("aws-signed-whole", signs, brief)),
	clients.JavaScript("anthropic_bedrock",
		kind("claude-raw", streams, native, provider), unsigned("claude-helper", streams, native, provider), kind("claude-whole", native, provider)),
	clients.JavaScript("ai_bedrock", kind("ai-bedrock-stream", streams), kind("ai-bedrock-whole")),
	clients.Python("boto3_client", unsigned("boto3-stream", streams, provider, names), signed("boto3-whole", provider, names)),
}

const policyYAML = `policy:
  version: 1
  default: allow
  rules:
    - {id: no-shell, tool: run_shell, verdict: deny, reason: Shell commands are not allowed here.}
    - {id: no-fetch, tool: web_fetch, verdict: deny, reason: Pages are not to be fetched.}
    - id: no-secrets
      tool: read_file
      conditions: {any: [{param_path: path, operator: ends_with, value: /secret.txt}]}
      verdict: deny
      reason: Secrets stay where they are.
`

var settings = map[string]string{
	replace:   "upstreams: {bedrock: {url: %[1]q}}\n",
	drop:      "upstreams: {bedrock: {url: %[1]q}}\non_deny: drop\n",
	"observe": "upstreams: {bedrock: {url: %[1]q}}\nenforcement: observe\n",
	clients.Keyed: "upstreams: {bedrock: {url: %[1]q, key: " + clients.UpstreamKey + "}}\n" +
		"clients: [{key: " + clients.ClientKey + ", name: laptop, employee: ann@example.com}]\n",
}

func TestClients(t *testing.T) {
	clients.Suite[answer]{
		Programs: programs, Policy: policyYAML, Settings: settings, Scenes: scenes(), Model: modelName, Tools: jsontext.Value(toolsJSON),
		Last:        answer{Content: blocks(lastTurn.blocks...), StopReason: lastTurn.stop},
		KeyHeader:   func(clients.Kind) string { return "Authorization" },
		CheckEvents: checkEvents,
	}.Run(t)
}
