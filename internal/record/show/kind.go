package show

import (
	"fmt"
	"net/http"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/quantity"
)

// A telling has the words for events of one type.
type telling struct {
	// parts say in a list of events what is particular to the event, the most important first; nil: the tool, the decision and the
	// arguments.
	parts func(record.Event) []string
	// word says in a list about MCP servers what happened, and more is what that list adds to the decision; "" and nil: nothing.
	word string
	more func(record.Event) []string
	// step is what it adds to the story of its call; nil: nothing.
	step func(record.Event) string
}

// tellings has every type of event that this version knows.
var tellings = map[record.Type]telling{
	record.Types.ToolCall:      {more: of(callMore), step: askedStep},
	record.Types.ToolResult:    {parts: of(resultParts), word: "answer", more: of(resultMore), step: resultStep},
	record.Types.Reread:        {more: of(callMore), step: func(e record.Event) string { return "it was read again: " + ruled(e) }},
	record.Types.CallWarning:   {parts: of(warningParts)},
	record.Types.CallArguments: {word: "args", more: of(callMore), step: argumentsStep},
	record.Types.CallWithdrawn: {
		word: "withdrawn", more: of(callMore),
		step: func(e record.Event) string { return "it was not delivered: " + ruled(e) },
	},
	record.Types.ResponseDone: {parts: of(responseParts)},
	record.Types.StreamRefused: {
		parts: func(e record.Event) []string {
			return []string{nameIf(e.Code), inert.Text(e.Reason, 1000)}
		},
		word: "message", more: func(e record.Event) []string { return []string{inert.Text(e.Reason, 200)} },
	},
	record.Types.PolicyLoaded: {parts: of(func(_ record.Event, d record.PolicyLoaded) []string {
		return []string{quantity.Count(d.Rules, "rule"), nameIf(d.Source), nameIf(d.Enforcement)}
	})},
	record.Types.PolicyAllowed:     {parts: of(allowedParts), step: allowedStep},
	record.Types.ApprovalRequested: approvalTelling("asks", "a person was asked"),
	record.Types.ApprovalVoted:     approvalTelling("vote", "a person voted"),
	record.Types.ApprovalDecided:   approvalTelling("decided", "it was decided"),
	record.Types.ApprovalUsed:      approvalTelling("approved", "the yes was used"),
	record.Types.ApprovalLapsed:    approvalTelling("lapsed", "the yes lapsed"),
	record.Types.ApprovalWithdrawn: approvalTelling("not asked", "nobody is asked any more"),
	record.Types.ApprovalRevoked:   approvalTelling("revoked", "the yes was revoked"),
	record.Types.RecordGap: {parts: of(func(_ record.Event, d record.RecordGap) []string {
		return []string{quantity.Count(d.Events, "event") + " could not be recorded"}
	})},

	record.Types.MCPIntercepted: {word: "asked", more: of(callMore), step: askedStep},
	record.Types.MCPCalled: {word: "called", more: of(callMore), step: func(e record.Event) string {
		return "the client called " + inert.Name(e.Tool, 80) + " of the MCP server " + inert.Name(e.Server, 80) + ": " + ruled(e)
	}},
	record.Types.MCPRequest:  {word: "request", more: of(callMore)},
	record.Types.MCPToolSeen: {word: "new", more: of(seenMore)},
	record.Types.MCPToolChanged: {word: "changed", more: of(func(_ record.Event, d record.ToolChanged) []string {
		return []string{findingsText(d.Findings)}
	})},
	record.Types.MCPPinChanged: {word: "pin", more: of(func(_ record.Event, d record.PinChanged) []string {
		return []string{map[string]string{"trust": "trusted by", "reset": "forgotten by"}[d.Action] + " " + inert.Name(d.By,
			nameLength)}
	})},
	record.Types.RegistryNoted: {word: "tools", more: of(func(_ record.Event, d record.RegistryNoted) []string {
		return []string{"took note of " + quantity.Count(len(d.Servers), "server"), namesOf("changed by something else:", d.Differ)}
	})},

	record.Types.Connection:    {parts: of(connectionParts), step: connectionStep},
	record.Types.MCPConnection: {parts: of(connectionParts), word: "network", step: connectionStep},
	record.Types.UndeclaredAct: {
		parts: of(func(e record.Event, d record.UndeclaredAct) []string { return []string{undeclaredText(e, d)} }),
		word:  "undeclared", more: of(func(e record.Event, d record.UndeclaredAct) []string { return []string{undeclaredText(e, d)} }),
		step: func(e record.Event) string {
			d, _ := e.Detail.(record.UndeclaredAct)
			return undeclaredText(e, d)
		},
	},
	record.Types.SessionStarted: {parts: of(func(e record.Event, d record.SessionStarted) []string {
		return []string{nameIf(e.Actor.Session), nameIf(d.Program), "watched by " + nameIf(d.Isolation)}
	})},
	record.Types.SessionEnded: {parts: of(func(e record.Event, d record.SessionEnded) []string {
		return []string{nameIf(e.Actor.Session), sessionEndText(d)}
	})},
}

// of makes a telling of events with a detail of type D. It says nothing of events without.
func of[D record.Detail](tell func(record.Event, D) []string) func(record.Event) []string {
	return func(e record.Event) []string {
		if d, ok := e.Detail.(D); ok {
			return tell(e, d)
		}
		return nil
	}
}

func allowedParts(e record.Event, d record.PolicyAllowed) []string {
	return []string{
		nameIf(e.Tool), "allowed by " + inert.Name(d.By, nameLength), "for " + inert.Name(d.For, nameLength), namesOf("rules", d.Rules),
	}
}

func allowedStep(e record.Event) string {
	d, _ := e.Detail.(record.PolicyAllowed)
	text := inert.Name(d.By, nameLength) + " wrote an exception for it: " + inert.Name(d.For, nameLength)
	if d.Until != "" {
		text += ", until " + inert.Name(d.Until, nameLength)
	}
	return text
}

// ruled is the ruling on a call, and the rule.
func ruled(e record.Event) string {
	if e.Rule == "" {
		return outcome(e)
	}
	return outcome(e) + " by rule " + inert.Name(e.Rule, 80)
}

func resultParts(e record.Event, d record.ToolResult) []string {
	return []string{nameIf(e.Tool), resultText(d)}
}

func resultMore(_ record.Event, d record.ToolResult) []string {
	return []string{inert.Text(d.Method, nameLength), resultText(d), findingsText(d.Findings)}
}

func resultStep(e record.Event) string {
	d, ok := e.Detail.(record.ToolResult)
	switch {
	case !ok:
		return ""
	case e.Surface == call.MCP:
		return "the server answered: " + resultText(d)
	}
	return "the agent brought the answer to the model: " + resultText(d)
}

func warningParts(e record.Event, d record.CallWarning) []string {
	return []string{nameIf(e.Tool), fmt.Sprintf("arguments of %s, more than %d", quantity.Count(d.SizeBytes, "byte"), d.LimitBytes)}
}

func callMore(_ record.Event, d record.ToolCall) []string {
	declared := ""
	if d.Declared {
		declared = "asked for by a model"
	}
	return []string{declared, findingsText(d.Findings)}
}

func askedStep(e record.Event) string {
	if e.Surface == call.Inbound {
		return ""
	}
	return "the model asked for " + inert.Name(e.Tool, 80) + ": " + ruled(e)
}

func argumentsStep(e record.Event) string {
	if e.Code != "" {
		return "its arguments did not come whole: " + inert.Name(e.Code, 80)
	}
	return "its arguments were complete"
}

func responseParts(e record.Event, d record.ResponseDone) []string {
	calls := quantity.Count(d.Released, "call")
	if d.Refused > 0 {
		calls += fmt.Sprintf(", %d refused", d.Refused)
	}
	parts := []string{
		calls,
		fmt.Sprintf("%s in %s out", quantity.Thousands(d.Usage.Input+d.Usage.CacheRead+d.Usage.CacheCreation),
			quantity.Thousands(d.Usage.Output)),
	}
	if d.CostMicros > 0 {
		parts = append(parts, quantity.Dollars(d.CostMicros))
	}
	if t := d.Timings; t.TotalMicros > 0 {
		parts = append(parts, quantity.Duration(t.TotalMicros))
	}
	switch {
	case d.Timings.Status >= http.StatusBadRequest:
		parts = append(parts, fmt.Sprintf("status %d", d.Timings.Status))
	case d.Timings.Status == 0 && !d.Timings.Started.IsZero():
		parts = append(parts, "no answer")
	case !d.Clean:
		parts = append(parts, "cut short")
	}
	return parts
}

func seenMore(_ record.Event, d record.ToolSeen) (parts []string) {
	if d.Trusted {
		parts = append(parts, "trusted")
	}
	if d.RenamedFrom != "" {
		parts = append(parts, "was "+inert.Name(d.RenamedFrom, nameLength))
	}
	return append(parts, namesOf("looks like", d.LookAlikes), namesOf("also of", d.Collisions), findingsText(d.Findings))
}

func connectionStep(e record.Event) string {
	d, ok := e.Detail.(record.Connection)
	if !ok {
		return ""
	}
	text := "connected "
	if e.Blocked {
		text = "tried to connect "
	}
	text += connectionParts(e, d)[0]
	if d.Process != "" {
		text += fmt.Sprintf(" by %s (process %d)", inert.Name(d.Process, 80), d.PID)
	}
	by := map[string]string{
		"server": ", by the server of the call", "text": ", which the call names",
		"only": ", while no other call was under way",
	}
	return text + by[d.LinkedBy] + ": " + ruled(e)
}
