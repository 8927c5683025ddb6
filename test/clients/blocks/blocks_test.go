package blocks

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/test/clients"
)

// modelName has a colon, as most models of Bedrock do.
const modelName = "anthropic.claude-scripted-20260101-v1:0"

// profileName is the model as a resource of an account, whose name has a slash.
const profileName = "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us." + modelName

// An answer is the model's turn as a client has it, in the words of the Messages API.
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
	native   = "native"   // it asks Bedrock for the model's own format
	provider = "provider" // it can tell what the provider ran
	profile  = "profile"  // it names the model by its resource name
	signs    = "signs"    // it says what its body is like, and signs that
	names    = "names"    // it names errors as Bedrock does
	brief    = "brief"    // it differs from another kind only in how it connects
)

// anthropic is a way to use an SDK of the Messages API.
func anthropic(name string, skills ...string) clients.Kind {
	k := kind(name, append(skills, provider)...)
	k.Upstream = "anthropic"
	return k
}

// kind is a way to use an SDK of Bedrock.
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
	clients.JavaScript("anthropic", anthropic("js-raw", streams), anthropic("js-helper", streams), anthropic("js-whole")),
	clients.JavaScript("ai_anthropic", anthropic("ai-stream", streams), anthropic("ai-whole")),
	clients.Python("anthropic_client", anthropic("python-raw", streams), anthropic("python-helper", streams), anthropic("python-whole")),
	clients.Go("anthropic", anthropic("go-helper", streams), anthropic("go-whole")),
	clients.JavaScript("bedrock",
		kind("aws-converse-stream", streams, provider, names), kind("aws-converse-whole", provider, names),
		kind("aws-invoke-stream", streams, native, provider, names), kind("aws-invoke-whole", native, provider, names),
		kind("aws-env-stream", streams, profile, brief), kind("aws-profile-invoke", streams, native, profile, brief),
		unsigned("aws-unsigned-stream", streams, brief), unsigned("aws-unsigned-invoke", native, brief),
		signed("aws-signed-stream", streams, signs, brief), signed("aws-signed-whole", signs, brief)),
	clients.JavaScript("anthropic_bedrock",
		kind("claude-raw", streams, native, provider), unsigned("claude-helper", streams, native, provider),
		kind("claude-whole", native, provider)),
	clients.JavaScript("ai_bedrock", kind("ai-bedrock-stream", streams), kind("ai-bedrock-whole")),
	clients.Python("boto3_client", unsigned("boto3-stream", streams, provider, names), signed("boto3-whole", provider, names)),
}

const noFetch = `
    - {id: no-fetch, tool: web_fetch, verdict: deny, reason: Pages are not to be fetched.}
`

// checkEvents checks events of both formats: those of Converse have no type.
func checkEvents(events []jsontext.Value, whole bool) error {
	var first clients.Event
	if len(events) > 0 && json.Unmarshal(events[0], &first) == nil && first["type"] == nil {
		return clients.ConverseStreams.Check(events, whole)
	}
	return clients.MessagesStreams.Check(events, whole)
}

func TestClients(t *testing.T) {
	clients.Suite[answer]{
		Programs: programs, Policy: clients.Policy(noFetch), Settings: clients.Settings("anthropic", "bedrock"),
		Scenes: scenes(), Model: modelName, Tools: jsontext.Value(toolsJSON),
		Last: answer{Content: blocks(lastTurn.blocks...), StopReason: lastTurn.stop},
		KeyHeader: func(k clients.Kind) string {
			if k.Upstream == "anthropic" {
				return "X-Api-Key"
			}
			return "Authorization"
		},
		CheckEvents: checkEvents,
	}.Run(t)
}
