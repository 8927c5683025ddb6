package gemini

import (
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The texts of the format. A candidate is a choice. Its items are the runs of its parts: text parts of one kind that follow each
// other are one text, in a body too, and any other part is an item of its own. What is no part's is of item -1.
//
//	place                                                    kind       piece or again
//	text                                                     Answer     pieces
//	text of a thought                                        Reasoning  pieces; some are signed
//	codeExecutionResult, toolResponse: any string            Output     one piece each
//	displayName, fileUri and partMetadata of parts           Citation   one piece each
//	citationMetadata, groundingMetadata, groundingAttributions,
//	  urlContextMetadata: any string, queries too            Citation   again
//	finishMessage, promptFeedback, modelStatus               Failure    again
//	error                                                    Failure    again
//	logprobsResult                                           Echo
//	any other member                                         Elsewhere  again
//
// What stands beside the parts of a candidate counts as it came last. Not text are calls, also what the provider searched for and
// ran, parts of an unknown kind, which are calls too, signatures and what is in base64.
var (
	wrapperFields = dialect.NotTexts("response", "traceId")
	holderFields  = dialect.NotTexts("candidates", "usageMetadata", "modelVersion", "responseId", "createTime", "continuationToken").And(
		dialect.Field{Name: "promptFeedback", Kind: dialect.Failure, Part: 1, In: dialect.NotTexts("blockReason", "safetyRatings")},
		dialect.Field{Name: "modelStatus", Kind: dialect.Failure, Part: 2, In: dialect.NotTexts("modelStage", "retirementTime")},
		dialect.Field{Name: "error", Kind: dialect.Failure, Part: 3, In: dialect.NotTexts("status").And(
			dialect.Field{Name: "details", Kind: dialect.Failure, In: dialect.NotTexts("@type", "reason", "domain")})},
	)
	candidateFields = dialect.NotTexts("content", "index", "finishReason", "safetyRatings", "tokenCount", "avgLogprobs",
		"continuationToken").And(
		dialect.Field{Name: "finishMessage", Kind: dialect.Failure},
		dialect.Field{Name: "citationMetadata", Kind: dialect.Citation, Part: 1},
		dialect.Field{
			Name: grounding, Kind: dialect.Citation, Part: 2,
			Except: dialect.Documented{"sdkBlob", "placeId", "googleMapsWidgetContextToken"},
		},
		dialect.Field{Name: "groundingAttributions", Kind: dialect.Citation, Part: 3},
		dialect.Field{Name: urlContext, Kind: dialect.Citation, Part: 4, Except: dialect.Documented{"urlRetrievalStatus"}},
		dialect.Field{Name: tokens, Kind: dialect.Echo},
	)
	contentFields = dialect.NotTexts("role", "parts")
)

// A partField describes a member of a part other than its text. A member that is not listed is a call.
type partField struct {
	names []string // its spellings
	mark  bool     // it describes the text in the part
	kind  dialect.TextKind
	in    dialect.Fields // of an object; nil: everything in it is of this kind
}

var partFields = []partField{
	{names: []string{"thought"}, mark: true, kind: dialect.Reasoning},
	{names: []string{"thoughtSignature", "thought_signature"}, mark: true},
	{names: []string{"partMetadata", "part_metadata"}, mark: true, kind: dialect.Citation},
	{names: []string{"inlineData", "inline_data"}, in: blobFields},
	{names: []string{"fileData", "file_data"}, in: blobFields},
	{names: []string{"videoMetadata", "video_metadata"}},
	{names: []string{"mediaResolution", "media_resolution"}},
	{names: []string{"functionCall", "function_call"}, in: dialect.NotTexts(functionMembers...)},
	{names: []string{"toolCall", "tool_call"}, in: dialect.NotTexts(ranMembers...)},
	{
		names: []string{"toolResponse", "tool_response"}, kind: dialect.Output,
		in: dialect.NotTexts("id", "toolType", "tool_type").And(dialect.Field{Name: "response", Kind: dialect.Output}),
	},
	{names: []string{"executableCode", "executable_code"}, in: dialect.NotTexts("id", "language", "code")},
	{
		names: []string{"codeExecutionResult", "code_execution_result"}, kind: dialect.Output,
		in: dialect.NotTexts("id", "outcome").And(dialect.Field{Name: "output", Kind: dialect.Output}),
	},
}

var blobFields = dialect.NotTexts("mimeType", "mime_type", "data").And(
	dialect.Field{Name: "displayName", Kind: dialect.Citation}, dialect.Field{Name: "display_name", Kind: dialect.Citation},
	dialect.Field{Name: "fileUri", Kind: dialect.Citation}, dialect.Field{Name: "file_uri", Kind: dialect.Citation})

// A run is the newest item of a candidate: text of one kind, or a part that is not text.
type run struct {
	item  int              // counted from 1
	kind  dialect.TextKind // NotText: it is not text
	cited int              // number of texts in citations so far
}

func (r *run) next(kind dialect.TextKind) { *r = run{item: r.item + 1, kind: kind} }

// findTexts finds the texts of the element that was parsed last.
func (d *editor) findTexts(_ frame.Frame, plan any) {
	if e, ok := plan.(*element); ok && e.dropped {
		return
	}
	root := d.Doc.Root()
	holder, wrapped, _ := unwrap(root)
	d.Texts.Again(true)
	d.Texts.Object(holder, holderFields)
	if wrapped {
		d.Texts.Object(root, wrapperFields)
	}
	candidates, _ := holder.Member("candidates")
	for v := range candidates.Elems() {
		d.candidateTexts(v)
	}
}

func (d *editor) candidateTexts(v strictjson.Value) {
	c, err := d.candidateOf(v)
	if err != nil {
		return // it was parsed before, so it can be parsed
	}
	d.Texts.Again(true)
	d.Texts.At(dialect.Channel{Choice: c.index, Item: -1})
	d.Texts.Object(v, candidateFields)
	content, _ := v.Member("content")
	d.Texts.Object(content, contentFields)
	d.Texts.Again(false)
	parts, _ := content.Member("parts")
	for p := range parts.Elems() {
		d.partTexts(c, p)
	}
}

func (d *editor) partTexts(c *candidate, p strictjson.Value) {
	kind := dialect.Answer
	thought, _ := p.Member("thought")
	if hidden, _ := thought.Bool(); hidden {
		kind = dialect.Reasoning
	}
	if text, _ := p.Member("text"); text.Kind() != strictjson.Missing {
		if len(text.Raw()) > len(`""`) && c.run.kind != kind {
			c.run.next(kind)
		}
		d.Texts.At(dialect.Channel{Choice: c.index, Item: c.run.item})
		d.Texts.Add(text, kind, nil)
	}
	for name, m := range p.Members() {
		if name.Is("text") || m.Kind() == strictjson.Null {
			continue
		}
		f := partFieldOf(name)
		if f == nil || !f.mark {
			c.run.next(dialect.NotText)
		}
		d.Texts.At(dialect.Channel{Choice: c.index, Item: c.run.item})
		d.Texts.SetNext(dialect.Citation, c.run.cited)
		switch {
		case f == nil:
		case f.in != nil && m.Kind() == strictjson.Object:
			d.Texts.Object(m, f.in)
		default:
			d.Texts.Add(m, f.kind, nil)
		}
		c.run.cited = d.Texts.Next(dialect.Citation)
	}
}

func partFieldOf(name strictjson.Value) *partField {
	for i := range partFields {
		for _, n := range partFields[i].names {
			if name.Is(n) {
				return &partFields[i]
			}
		}
	}
	return nil
}
