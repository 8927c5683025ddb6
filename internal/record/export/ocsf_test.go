package export

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/record/recordtest"
)

// An ocsfShape is what version 1.8.0 of the framework says of a class or an object, as far as weir uses it: the attributes
// that it must have, of which it must have at least one, and that it may have, with the shapes of those that are objects.
type ocsfShape struct {
	required []string
	oneOf    []string
	optional []string
	objects  map[string]string
	enums    map[string][]float64
}

var ocsfShapes = map[string]ocsfShape{
	"api_activity": {
		required: []string{"activity_id", "actor", "api", "category_uid", "class_uid", "metadata", "severity_id", "src_endpoint", "time", "type_uid"},
		optional: append([]string{"status_id", "status", "duration", "ai_model", "message_context", "trace"}, ocsfEverywhere...),
		objects: map[string]string{
			"actor": "actor", "api": "api", "metadata": "metadata", "src_endpoint": "network_endpoint", "ai_model": "ai_model",
			"message_context": "message_context", "trace": "trace", "policy": "policy", "firewall_rule": "rule",
		},
		enums: map[string][]float64{
			"activity_id": {0, 1, 2, 3, 4, 99}, "severity_id": {0, 1, 2, 3, 4, 5, 6, 99}, "status_id": {0, 1, 2, 99},
			"action_id": {0, 1, 2}, "disposition_id": ocsfDispositions,
		},
	},
	"detection_finding": {
		required: []string{"activity_id", "category_uid", "class_uid", "finding_info", "metadata", "severity_id", "time", "type_uid"},
		optional: append([]string{"status_id", "status", "evidences", "is_alert"}, ocsfEverywhere...),
		objects: map[string]string{
			"finding_info": "finding_info", "metadata": "metadata", "evidences": "evidences", "policy": "policy", "firewall_rule": "rule",
		},
		enums: map[string][]float64{
			"activity_id": {0, 1, 2, 3, 99}, "severity_id": {0, 1, 2, 3, 4, 5, 6, 99}, "status_id": {0, 1, 2, 3, 4, 5, 6, 99},
			"action_id": {0, 1, 2}, "disposition_id": ocsfDispositions,
		},
	},
	"metadata": {
		required: []string{"product", "version"},
		optional: []string{"profiles", "uid", "event_code", "correlation_uid", "log_name", "log_provider", "sequence", "original_time"},
		objects:  map[string]string{"product": "product"},
	},
	"product":          {required: []string{"name", "vendor_name"}, optional: []string{"version"}},
	"actor":            {oneOf: []string{"user", "session", "app_name"}, objects: map[string]string{"user": "user", "session": "session"}},
	"user":             {oneOf: []string{"name", "uid"}, optional: []string{"org", "groups", "credential_uid"}, objects: map[string]string{"org": "organization", "groups": "group"}},
	"organization":     {oneOf: []string{"name", "uid"}},
	"group":            {oneOf: []string{"name", "uid"}},
	"session":          {optional: []string{"uid"}},
	"api":              {required: []string{"operation"}, optional: []string{"service", "request", "response"}, objects: map[string]string{"service": "service", "request": "request", "response": "response"}},
	"service":          {oneOf: []string{"name", "uid"}},
	"request":          {required: []string{"uid"}, optional: []string{"data"}},
	"response":         {optional: []string{"code", "error", "error_message"}},
	"network_endpoint": {oneOf: []string{"ip", "uid", "name", "hostname", "svc_name"}},
	"finding_info":     {required: []string{"uid"}, optional: []string{"title", "desc", "created_time", "types", "analytic"}, objects: map[string]string{"analytic": "analytic"}},
	"analytic":         {required: []string{"type_id"}, oneOf: []string{"name", "uid"}, optional: []string{"type"}, enums: map[string][]float64{"type_id": {0, 1, 2, 3, 4, 99}}},
	"evidences": {
		oneOf:   []string{"actor", "api", "src_endpoint"},
		objects: map[string]string{"actor": "actor", "api": "api", "src_endpoint": "network_endpoint"},
	},
	"policy":   {oneOf: []string{"name", "uid"}, optional: []string{"version"}},
	"rule":     {oneOf: []string{"name", "uid"}},
	"ai_model": {required: []string{"name", "ai_provider"}},
	"message_context": {
		oneOf: []string{"service"}, optional: []string{"uid", "ai_role_id", "ai_role", "prompt_tokens", "completion_tokens", "total_tokens"},
		objects: map[string]string{"service": "service"}, enums: map[string][]float64{"ai_role_id": {0, 1, 2, 3, 4, 5, 6, 99}},
	},
	"trace": {required: []string{"uid"}},
}

// ocsfEverywhere are attributes of every class, or of the profile for security controls.
var ocsfEverywhere = []string{
	"activity_name", "category_name", "class_name", "type_name", "severity", "message", "unmapped",
	"action_id", "action", "disposition_id", "policy", "firewall_rule",
}

var ocsfDispositions = []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 99}

// check says how a value differs from its shape.
func (s ocsfShape) check(at string, value any) (problems []string) {
	if list, ok := value.([]any); ok {
		for i, item := range list {
			problems = append(problems, s.check(fmt.Sprintf("%s[%d]", at, i), item)...)
		}
		return problems
	}
	object, ok := value.(map[string]any)
	if !ok {
		return []string{at + " is no object"}
	}
	for _, name := range s.required {
		if _, ok := object[name]; !ok {
			problems = append(problems, at+" lacks "+name)
		}
	}
	if len(s.oneOf) > 0 && !slices.ContainsFunc(s.oneOf, func(name string) bool { _, ok := object[name]; return ok }) {
		problems = append(problems, fmt.Sprintf("%s has none of %v", at, s.oneOf))
	}
	known := slices.Concat(s.required, s.oneOf, s.optional)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(known, name) {
			problems = append(problems, at+" has "+name+", which is not an attribute of it")
		}
		if of, ok := s.objects[name]; ok {
			problems = append(problems, ocsfShapes[of].check(at+"."+name, object[name])...)
		}
		if values, ok := s.enums[name]; ok {
			if n, _ := object[name].(float64); !slices.Contains(values, n) {
				problems = append(problems, fmt.Sprintf("%s.%s has no value %v", at, name, object[name]))
			}
		}
		if text, ok := object[name].(string); ok && text == "" {
			problems = append(problems, at+"."+name+" is empty")
		}
	}
	return problems
}

func ocsfOf(t testing.TB, e record.Entry) map[string]any {
	t.Helper()
	line := export(t, formatOCSF, e)
	wantInert(t, "ocsf", line)
	var object map[string]any
	if err := json.Unmarshal([]byte(line), &object); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return object
}

// TestExportOCSF holds every kind of event to what the framework demands.
func TestExportOCSF(t *testing.T) {
	for _, e := range append(recordtest.EveryEvent(t), evilEvents(t)...) {
		object := ocsfOf(t, e)
		class := "api_activity"
		want := []float64{6, 6003}
		if e.Blocked {
			class, want = "detection_finding", []float64{2, 2004}
		}
		if problems := ocsfShapes[class].check(class, object); len(problems) > 0 {
			t.Errorf("%s\n%v", strings.Join(problems, "\n"), object)
		}
		activity, _ := object["activity_id"].(float64)
		if object["category_uid"] != want[0] || object["class_uid"] != want[1] || object["type_uid"] != want[1]*100+activity {
			t.Errorf("category %v, class %v, type %v", object["category_uid"], object["class_uid"], object["type_uid"])
		}
		if object["time"] != float64(e.Micros/1000) {
			t.Errorf("time %v, want %d", object["time"], e.Micros/1000)
		}
		profiles(t, object)
	}
}

// profiles holds the attributes of profiles to the profiles that are named.
func profiles(t *testing.T, object map[string]any) {
	t.Helper()
	metadata, _ := object["metadata"].(map[string]any)
	named, _ := metadata["profiles"].([]any)
	for profile, attributes := range map[string][]string{
		"security_control": {"action_id", "disposition_id", "policy", "firewall_rule"}, "ai_operation": {"ai_model", "message_context"}, "trace": {"trace"},
	} {
		used := slices.ContainsFunc(attributes, func(name string) bool { _, ok := object[name]; return ok })
		if slices.Contains(named, any(profile)) != used {
			t.Errorf("profiles %v, and the attributes of %s are there: %v", named, profile, used)
		}
	}
}

// TestOCSFSays what a call and its refusal look like.
func TestOCSFSays(t *testing.T) {
	e := record.Event{
		Type: record.Types.ToolCall, Actor: call.Actor{Employee: "ann@acme.com", Team: "payments", Org: "acme", Key: "ci", Session: "s1"},
		Exchange: call.Exchange{RequestID: "req_1", Provider: "anthropic", Model: "claude"},
		CallID:   "call_1", Surface: call.Response, Server: "github", Tool: "delete_repo", WireID: "toolu_1", Args: jsontext.Value(`{"name":"x"}`),
		Ruling: record.Ruling{
			Verdict: "deny", Blocked: true, Code: "tool_denied", Reason: "Not here.", Rule: "no-delete",
			PolicyVersion: "sha256:1",
		},
	}
	got := ocsfOf(t, sealOne(t, e))
	for name, want := range map[string]any{
		"finding_info": map[string]any{
			"uid": "evt_1", "title": "A call of delete_repo was refused", "desc": "Not here.", "created_time": float64(recordtest.When.UnixMilli()),
			"types": []any{"tool_denied"}, "analytic": map[string]any{"type_id": 1.0, "type": "Rule", "name": "no-delete", "uid": "no-delete"},
		},
		"evidences": []any{map[string]any{
			"actor": map[string]any{
				"user": map[string]any{
					"name": "ann@acme.com", "uid": "ann@acme.com", "org": map[string]any{"name": "acme"},
					"groups": []any{map[string]any{"name": "payments"}}, "credential_uid": "ci",
				},
				"session": map[string]any{"uid": "s1"},
			},
			"api": map[string]any{
				"operation": "delete_repo", "service": map[string]any{"name": "github"},
				"request":  map[string]any{"uid": "call_1", "data": map[string]any{"name": "x"}},
				"response": map[string]any{"error": "tool_denied", "error_message": "Not here."},
			},
			"src_endpoint": map[string]any{"name": "ci"},
		}},
		"action": "Denied", "disposition_id": 2.0, "severity": "Medium", "is_alert": true,
		"policy": map[string]any{"name": "weir policy", "version": "sha256:1"},
	} {
		if diff := cmp.Diff(want, got[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	e.Blocked, e.Verdict, e.Code, e.Reason = false, "allow", "", ""
	got = ocsfOf(t, sealOne(t, e))
	if got["class_uid"] != 6003.0 || got["action"] != "Allowed" || got["disposition_id"] != 1.0 || got["activity_name"] != "tool_call" {
		t.Errorf("a released call: %v", got)
	}
	if diff := cmp.Diff(map[string]any{"name": "claude", "ai_provider": "anthropic"}, got["ai_model"]); diff != "" {
		t.Errorf("model (-want +got):\n%s", diff)
	}
}
