package outbox

import "github.com/weir-gate/weir/internal/audit"

// overhead is about what an event takes beyond its texts.
const overhead = 1024

// header is what a text takes in a list beside its bytes.
const header = 16

// sizeOf is about how much room an event takes. All texts count: many come from the wire, and each may be long.
func sizeOf(e audit.Event) int {
	x, t, a, l := e.Exchange, e.Exchange.Trace, e.Actor, e.Link
	n := overhead + len(e.Args) + sizeOfDetail(e.Detail)
	for _, s := range [...]string{
		e.ID, string(e.Type), e.Trace, e.Span, e.ParentSpan, string(e.CallID), string(e.Within), string(e.Surface), e.Server, e.Tool, e.WireID,
		e.ServerType, e.ServerAddr, e.ToolHash, e.RPCID, e.Verdict, e.WouldBe, e.Code, e.Reason, e.Rule, e.PolicyVersion,
		x.RequestID, x.ResponseID, x.Provider, x.Dialect, x.Model, x.Conversation, t.ID, t.Span, t.Parent,
		a.Org, a.Team, a.Employee, a.Key, a.Session, l.Chain, l.PrevHash, l.Hash,
	} {
		n += len(s)
	}
	return n
}

func sizeOfDetail(detail audit.Detail) (n int) {
	switch d := detail.(type) {
	case audit.ToolCall:
		n += len(d.Written) + len(d.ToolState) + len(d.ToolSeverity) + sizeOfTexts(d.Aliases) + sizeOfTexts(d.Spellings) + sizeOfTexts(d.Holes)
		for _, r := range d.Replaced {
			n += header + len(r.Name)
		}
		n += len(d.Omitted.Digest) + len(d.Omitted.Begin) + sizeOfFindings(d.Findings)
	case audit.ToolResult:
		n = len(d.Digest) + len(d.Method) + sizeOfFindings(d.Findings)
	case audit.ToolSeen:
		n = len(d.Definition) + len(d.RenamedFrom) + sizeOfTexts(d.LookAlikes) + sizeOfTexts(d.Collisions) + sizeOfFindings(d.Findings)
	case audit.ToolChanged:
		n = len(d.Was) + len(d.Differences) + sizeOfFindings(d.Findings)
	case audit.ResponseDone:
		n = len(d.Prices) + len(d.RequestBody.Digest) + len(d.RequestBody.NotKept) + len(d.ResponseBody.Digest) + len(d.ResponseBody.NotKept)
	case audit.PolicyLoaded:
		n = len(d.Source) + len(d.Enforcement)
	case audit.UnknownDetail:
		n = len(d)
	}
	return n
}

func sizeOfTexts(list []string) (n int) {
	for _, s := range list {
		n += header + len(s)
	}
	return n
}

func sizeOfFindings(list []audit.Finding) (n int) {
	for _, f := range list {
		n += 4*header + len(f.Rule) + len(f.Severity) + len(f.Where) + len(f.Excerpt)
	}
	return n
}
