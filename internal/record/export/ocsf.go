package export

import (
	"cmp"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

// ocsfVersion is the version of the Open Cybersecurity Schema Framework of the events: the first with the profile for AI
// operations.
const ocsfVersion = "1.8.0"

// The classes of events. A refusal is a Detection Finding, everything else an API Activity.
const (
	ocsfFindings         = 2
	ocsfDetectionFinding = 2004
	ocsfApplication      = 6
	ocsfAPIActivity      = 6003
)

// Values of enumerations.
const (
	activityCreate = 1
	activityOther  = 99

	severityInformational = 1
	severityLow           = 2
	severityMedium        = 3

	actionAllowed = 1
	actionDenied  = 2

	dispositionAllowed   = 1
	dispositionBlocked   = 2
	dispositionCorrected = 11
	dispositionLogged    = 17

	statusSuccess = 1 // of an activity
	statusFailure = 2
	statusNew     = 1 // of a finding

	analyticRule  = 1
	roleAssistant = 2
)

type ocsfEvent struct {
	ActivityID   int            `json:"activity_id"`
	ActivityName string         `json:"activity_name"`
	CategoryUID  int            `json:"category_uid"`
	CategoryName string         `json:"category_name"`
	ClassUID     int            `json:"class_uid"`
	ClassName    string         `json:"class_name"`
	TypeUID      int            `json:"type_uid"`
	TypeName     string         `json:"type_name"`
	Time         int64          `json:"time"` // milliseconds since 1970
	SeverityID   int            `json:"severity_id"`
	Severity     string         `json:"severity"`
	StatusID     int            `json:"status_id,omitzero"`
	Status       string         `json:"status,omitzero"`
	Message      string         `json:"message,omitzero"`
	Duration     int64          `json:"duration,omitzero"` // milliseconds
	Metadata     ocsfMetadata   `json:"metadata"`
	Actor        *ocsfActor     `json:"actor,omitzero"`
	API          *ocsfAPI       `json:"api,omitzero"`
	SrcEndpoint  *ocsfEndpoint  `json:"src_endpoint,omitzero"`
	Finding      *ocsfFinding   `json:"finding_info,omitzero"`
	Evidences    []ocsfEvidence `json:"evidences,omitzero"`
	IsAlert      bool           `json:"is_alert,omitzero"`
	ActionID     int            `json:"action_id,omitzero"`
	Action       string         `json:"action,omitzero"`
	Disposition  int            `json:"disposition_id,omitzero"`
	Policy       *ocsfPolicy    `json:"policy,omitzero"`
	Rule         *ocsfEntity    `json:"firewall_rule,omitzero"`
	Model        *ocsfModel     `json:"ai_model,omitzero"`
	Messages     *ocsfMessages  `json:"message_context,omitzero"`
	Trace        *ocsfEntity    `json:"trace,omitzero"`
	Unmapped     ocsfUnmapped   `json:"unmapped"`
}

type ocsfMetadata struct {
	Version      string      `json:"version"`
	Product      ocsfProduct `json:"product"`
	Profiles     []string    `json:"profiles,omitzero"`
	UID          string      `json:"uid"`
	EventCode    string      `json:"event_code"`
	Correlation  string      `json:"correlation_uid,omitzero"`
	LogName      string      `json:"log_name"`
	LogProvider  string      `json:"log_provider"`
	Sequence     int64       `json:"sequence,omitzero"`
	OriginalTime string      `json:"original_time"`
}

type ocsfProduct struct {
	Name    string `json:"name"`
	Vendor  string `json:"vendor_name"`
	Version string `json:"version,omitzero"`
}

type ocsfEntity struct {
	UID  string `json:"uid,omitzero"`
	Name string `json:"name,omitzero"`
}

type ocsfActor struct {
	User    *ocsfUser   `json:"user,omitzero"`
	Session *ocsfEntity `json:"session,omitzero"`
	App     string      `json:"app_name,omitzero"`
}

type ocsfUser struct {
	Name       string       `json:"name,omitzero"`
	UID        string       `json:"uid,omitzero"`
	Org        *ocsfEntity  `json:"org,omitzero"`
	Groups     []ocsfEntity `json:"groups,omitzero"`
	Credential string       `json:"credential_uid,omitzero"`
}

type ocsfAPI struct {
	Operation string        `json:"operation"`
	Service   *ocsfEntity   `json:"service,omitzero"`
	Request   *ocsfRequest  `json:"request,omitzero"`
	Response  *ocsfResponse `json:"response,omitzero"`
}

type ocsfRequest struct {
	UID  string         `json:"uid"`
	Data jsontext.Value `json:"data,omitzero"`
}

type ocsfResponse struct {
	Code    int    `json:"code,omitzero"`
	Error   string `json:"error,omitzero"`
	Message string `json:"error_message,omitzero"`
}

type ocsfEndpoint struct {
	Name string `json:"name"`
}

type ocsfFinding struct {
	UID      string        `json:"uid"`
	Title    string        `json:"title"`
	Desc     string        `json:"desc,omitzero"`
	Created  int64         `json:"created_time"`
	Types    []string      `json:"types,omitzero"`
	Analytic *ocsfAnalytic `json:"analytic,omitzero"`
}

type ocsfAnalytic struct {
	TypeID int    `json:"type_id"`
	Type   string `json:"type"`
	Name   string `json:"name"`
	UID    string `json:"uid"`
}

type ocsfEvidence struct {
	Actor       *ocsfActor    `json:"actor,omitzero"`
	API         *ocsfAPI      `json:"api,omitzero"`
	SrcEndpoint *ocsfEndpoint `json:"src_endpoint,omitzero"`
}

type ocsfPolicy struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type ocsfModel struct {
	Name     string `json:"name"`
	Provider string `json:"ai_provider"`
}

type ocsfMessages struct {
	UID        string      `json:"uid,omitzero"`
	RoleID     int         `json:"ai_role_id"`
	Role       string      `json:"ai_role"`
	Service    *ocsfEntity `json:"service"`
	Prompt     int64       `json:"prompt_tokens"`
	Completion int64       `json:"completion_tokens"`
	Total      int64       `json:"total_tokens"`
}

// ocsfUnmapped has what the framework has no attributes for, under weir's own names.
type ocsfUnmapped struct {
	Chain    string         `json:"chain"`
	Seq      int64          `json:"seq"`
	PrevHash string         `json:"prev_hash"`
	Hash     string         `json:"hash"`
	Verdict  string         `json:"verdict,omitzero"`
	WouldBe  string         `json:"would_be,omitzero"`
	Code     string         `json:"code,omitzero"`
	Surface  string         `json:"surface,omitzero"`
	Dialect  string         `json:"dialect,omitzero"`
	Response string         `json:"response_id,omitzero"`
	Dialogue string         `json:"conversation_id,omitzero"`
	WireID   string         `json:"wire_id,omitzero"`
	MCPType  string         `json:"server_type,omitzero"`
	MCPAddr  string         `json:"server_addr,omitzero"`
	ToolHash string         `json:"tool_hash,omitzero"`
	RPCID    string         `json:"jsonrpc_id,omitzero"`
	Within   string         `json:"within,omitzero"`
	Span     string         `json:"span_id,omitzero"`
	Parent   string         `json:"parent_span_id,omitzero"`
	Detail   jsontext.Value `json:"detail,omitzero"`
}

// lenient accepts everything that the record has, also repeated names and lone surrogates in arguments.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// ocsfLines writes events as OCSF.
type ocsfLines struct{ version string }

func (l ocsfLines) line(e record.Entry) ([]byte, error) {
	t, err := e.Parse()
	if err != nil {
		return nil, err
	}
	line, err := json.Marshal(l.event(t, e.Hash), lenient)
	if err != nil {
		return nil, err
	}
	return []byte(inert.JSON(string(line))), nil
}

func (l ocsfLines) event(t record.Text, hash string) ocsfEvent {
	actor, api, from := ocsfActorOf(t), ocsfAPIOf(t), &ocsfEndpoint{Name: cmp.Or(t.Actor.Key, "agent")}
	o := ocsfEvent{
		Time: t.Time.UnixMilli(), Message: t.Reason,
		Metadata: ocsfMetadata{
			Version: ocsfVersion, Product: ocsfProduct{Name: "weir", Vendor: "weir", Version: l.version}, UID: t.ID,
			EventCode: string(t.Type), Correlation: t.RequestID, LogName: "audit", LogProvider: "weir", Sequence: t.Seq,
			OriginalTime: t.Time.UTC().Format(time.RFC3339Nano),
		},
		Unmapped: ocsfUnmapped{
			Chain: t.Chain, Seq: t.Seq, PrevHash: t.PrevHash, Hash: hash, Verdict: t.Verdict, WouldBe: t.WouldBe, Code: t.Code,
			Surface: string(t.Surface), Dialect: t.Dialect, Response: t.ResponseID, Dialogue: t.Conversation, WireID: t.WireID,
			MCPType: t.ServerType, MCPAddr: t.ServerAddr, ToolHash: t.ToolHash, RPCID: t.RPCID,
			Within: string(t.Within), Span: t.Span, Parent: t.ParentSpan, Detail: t.Detail,
		},
	}
	if t.Blocked {
		o.finding(t, ocsfEvidence{Actor: actor, API: api, SrcEndpoint: from})
	} else {
		o.activity(t)
		o.Actor, o.API, o.SrcEndpoint = actor, api, from
		o.operation(t)
	}
	o.control(t)
	o.TypeUID = o.ClassUID*100 + o.ActivityID
	o.TypeName = o.ClassName + ": " + map[int]string{activityCreate: "Create", activityOther: "Other"}[o.ActivityID]
	o.Severity = map[int]string{severityInformational: "Informational", severityLow: "Low", severityMedium: "Medium"}[o.SeverityID]
	return o
}

// finding makes o the finding that something was refused.
func (o *ocsfEvent) finding(t record.Text, evidence ocsfEvidence) {
	o.CategoryUID, o.CategoryName, o.ClassUID, o.ClassName = ocsfFindings, "Findings", ocsfDetectionFinding, "Detection Finding"
	o.ActivityID, o.ActivityName = activityCreate, "Create"
	o.SeverityID, o.StatusID, o.Status, o.IsAlert = severityMedium, statusNew, "New", true
	what := strings.ReplaceAll(t.Type.Kind().Refused, "%s", t.Tool)
	switch {
	case what != "":
	case t.Tool != "":
		what = "A call of " + t.Tool
	default:
		what = "A response"
	}
	o.Finding = &ocsfFinding{UID: t.ID, Title: what + " was refused", Desc: t.Reason, Created: o.Time}
	if t.Code != "" {
		o.Finding.Types = []string{t.Code}
	}
	if t.Rule != "" {
		o.Finding.Analytic = &ocsfAnalytic{TypeID: analyticRule, Type: "Rule", Name: t.Rule, UID: t.Rule}
	}
	o.Evidences = []ocsfEvidence{evidence}
}

// activity makes o an activity that was not refused.
func (o *ocsfEvent) activity(t record.Text) {
	o.CategoryUID, o.CategoryName, o.ClassUID, o.ClassName = ocsfApplication, "Application Activity", ocsfAPIActivity, "API Activity"
	o.ActivityID, o.ActivityName = activityOther, string(t.Type)
	o.SeverityID, o.StatusID, o.Status = severityInformational, statusSuccess, "Success"
	if t.Verdict == "audit" || t.WouldBe != "" || t.Type.Kind().Notable {
		o.SeverityID = severityLow
	}
	if failed(t) {
		o.StatusID, o.Status = statusFailure, "Failure"
	}
}

// failed says whether an event is about a failure that weir did not cause.
func failed(t record.Text) bool {
	detail, err := t.ReadDetail()
	if err != nil {
		return false
	}
	switch d := detail.(type) {
	case record.ToolResult:
		return d.Failed
	case record.ResponseDone:
		return !d.Clean
	}
	return false
}

// operation adds what is known about the model and its response.
func (o *ocsfEvent) operation(t record.Text) {
	if t.Model != "" && t.Provider != "" {
		o.Model = &ocsfModel{Name: t.Model, Provider: t.Provider}
	}
	if detail, err := t.ReadDetail(); err == nil {
		if d, ok := detail.(record.ResponseDone); ok && t.Provider != "" {
			in, out := d.Usage.Input+d.Usage.CacheRead+d.Usage.CacheCreation, d.Usage.Output
			o.Messages = &ocsfMessages{
				UID: cmp.Or(t.Conversation, t.ResponseID), RoleID: roleAssistant, Role: "Assistant", Service: &ocsfEntity{Name: t.Provider},
				Prompt: in, Completion: out, Total: in + out,
			}
			o.Duration = d.Timings.TotalMicros / 1000
		}
	}
	if o.Model != nil || o.Messages != nil {
		o.Metadata.Profiles = append(o.Metadata.Profiles, "ai_operation")
	}
	if t.Trace != "" {
		o.Trace = &ocsfEntity{UID: t.Trace}
		o.Metadata.Profiles = append(o.Metadata.Profiles, "trace")
	}
}

// control adds the policy's ruling, if there is one.
func (o *ocsfEvent) control(t record.Text) {
	switch {
	case t.Blocked:
		o.ActionID, o.Action, o.Disposition = actionDenied, "Denied", dispositionBlocked
	case t.Verdict == "":
		return
	case t.Verdict == "sanitize":
		o.ActionID, o.Action, o.Disposition = actionAllowed, "Allowed", dispositionCorrected
	case t.Verdict == "audit":
		o.ActionID, o.Action, o.Disposition = actionAllowed, "Allowed", dispositionLogged
	default:
		o.ActionID, o.Action, o.Disposition = actionAllowed, "Allowed", dispositionAllowed
	}
	o.Metadata.Profiles = append(o.Metadata.Profiles, "security_control")
	if t.PolicyVersion != "" {
		o.Policy = &ocsfPolicy{Name: "weir policy", Version: t.PolicyVersion}
	}
	if t.Rule != "" {
		o.Rule = &ocsfEntity{UID: t.Rule, Name: t.Rule}
	}
}

// ocsfActorOf is the actor on whose behalf something happened.
func ocsfActorOf(t record.Text) *ocsfActor {
	a := &ocsfActor{}
	if name := cmp.Or(t.Actor.Employee, t.Actor.Key); name != "" {
		a.User = &ocsfUser{Name: name, UID: name, Credential: t.Actor.Key}
		if t.Actor.Org != "" {
			a.User.Org = &ocsfEntity{Name: t.Actor.Org}
		}
		if t.Actor.Team != "" {
			a.User.Groups = []ocsfEntity{{Name: t.Actor.Team}}
		}
	}
	if t.Session != "" {
		a.Session = &ocsfEntity{UID: t.Session}
	}
	if a.User == nil && a.Session == nil {
		a.App = "agent"
	}
	return a
}

// ocsfAPIOf describes what was asked for, as the call of an API.
func ocsfAPIOf(t record.Text) *ocsfAPI {
	a := &ocsfAPI{Operation: cmp.Or(t.Tool, string(t.Type))}
	if service := cmp.Or(t.Server, t.Provider); service != "" {
		a.Service = &ocsfEntity{Name: service}
	}
	if uid := cmp.Or(string(t.CallID), t.RequestID); uid != "" {
		a.Request = &ocsfRequest{UID: uid, Data: t.Args}
	}
	if t.Code != "" {
		a.Response = &ocsfResponse{Error: t.Code, Message: t.Reason}
	}
	detail, err := t.ReadDetail()
	if d, ok := detail.(record.ResponseDone); ok && err == nil && d.Timings.Status != 0 {
		if a.Response == nil {
			a.Response = &ocsfResponse{}
		}
		a.Response.Code = d.Timings.Status
	}
	return a
}
