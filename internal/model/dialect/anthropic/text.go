package anthropic

import (
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/blocks"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The texts of the format. Blocks are items; all strings of a result and of a block's citations are texts of their own.
//
//	place                                          kind       piece or again
//	content_block_start: text, text_delta          Answer     pieces
//	content_block_start: thinking, thinking_delta  Reasoning  pieces; signed
//	compaction, compaction_delta: content          Answer     pieces
//	citations, citations_delta: any string         Citation   one piece each
//	results of provider-run calls: any string      Output     one piece each
//	mcp_tool_listing: tools                        Output     one piece each
//	stop_details                                   Refusal    one piece each
//	error                                          Failure    one piece each
//	amazon-bedrock-trace                           Echo
//	any other member                               Elsewhere
//
// Nothing is said again: blocks of message_start and of a whole message have no deltas. Not text are calls, blocks of an unknown
// type, which are calls too, signatures and what is encrypted.
var (
	frameFields = dialect.NotTexts("type", "index", "usage", "request_id", "context_management", "amazon-bedrock-invocationMetrics",
		"amazon-bedrock-guardrailAction").And(
		dialect.Field{Name: "amazon-bedrock-trace", Kind: dialect.Echo},
		dialect.Field{Name: "error", Kind: dialect.Failure, In: dialect.NotTexts("type")},
	)
	// framesOf are the tables of members for some types of frames.
	framesOf = map[string]dialect.Fields{
		typeMessageStart: frameFields.And(dialect.Field{Name: "message"}),
		typeBlockStart:   frameFields.And(dialect.Field{Name: "content_block"}),
		typeBlockDelta:   frameFields.And(dialect.Field{Name: "delta"}),
		typeMessageDelta: frameFields.And(dialect.Field{Name: "delta", In: closingFields}),
		typeMessage:      frameFields.And(messageFields...),
	}
	closingFields = dialect.NotTexts("stop_reason", "stop_sequence", "container").And(
		dialect.Field{Name: "stop_details", Kind: dialect.Refusal, In: dialect.NotTexts("type", "category")},
	)
	messageFields = closingFields.And(dialect.NotTexts("id", "type", "role", "model", "content", "usage", "context_management")...)
)

// opaque are documented members that are not text, at any depth.
var opaque = dialect.Documented{"type", "encrypted_content", "encrypted_index", "file_id", "media_type"}

var (
	deltaFields = dialect.NotTexts("type", "signature", "partial_json").And(
		dialect.Field{Name: "text", Kind: dialect.Answer},
		dialect.Field{Name: "thinking", Kind: dialect.Reasoning},
		dialect.Field{Name: "content", Kind: dialect.Answer},
		dialect.Field{Name: "citation", Kind: dialect.Citation, Except: opaque},
	)
	saidFields = map[string]dialect.Fields{
		"text": dialect.NotTexts("type").And(
			dialect.Field{Name: "text", Kind: dialect.Answer},
			dialect.Field{Name: "citations", Kind: dialect.Citation, Except: opaque}),
		"thinking":          dialect.NotTexts("type", "signature").And(dialect.Field{Name: "thinking", Kind: dialect.Reasoning}),
		"redacted_thinking": dialect.NotTexts("type", "data"),
		"compaction":        dialect.NotTexts("type").And(dialect.Field{Name: "content", Kind: dialect.Answer}),
		"container_upload":  dialect.NotTexts("type", "file_id"),
		"fallback":          dialect.NotTexts("type", "from", "to"),
		"mcp_tool_listing":  dialect.NotTexts("type", "server_name").And(dialect.Field{Name: "tools", Kind: dialect.Output}),
	}
	resultFields = dialect.NotTexts("type", "tool_use_id", "caller").And(
		dialect.Field{Name: "content", Kind: dialect.Output, Except: opaque})
	callFields = dialect.NotTexts(callMembers...)
)

// findTexts finds the texts of the frame that was parsed last.
func (d *editor) findTexts(f frame.Frame, plan any) {
	root := d.Doc.Root()
	switch plan := plan.(type) {
	case *blocks.Block:
		d.deltaTexts(root, plan)
	case *blocks.Structure:
		switch {
		case string(f.Data) == typeDone: // it is not JSON, and was not parsed
		case f.Failure:
			d.Texts.Add(root, dialect.Failure, nil)
		default:
			d.structureTexts(root, plan)
		}
	}
}

func (d *editor) structureTexts(root strictjson.Value, s *blocks.Structure) {
	fields, ok := framesOf[s.Type]
	if !ok {
		fields = frameFields
	}
	message := root
	switch s.Type {
	case typeBlockStart:
		content, _ := root.Member("content_block")
		d.blockTexts(content, s.Block)
	case typeMessageStart:
		message, _ = root.Member("message")
		d.Texts.Object(message, framesOf[typeMessage])
	}
	d.Texts.Object(root, fields)
	if len(s.Whole) > 0 {
		content, _ := message.Member("content")
		i := 0
		for v := range content.Elems() {
			d.blockTexts(v, s.Whole[i])
			i++
		}
	}
}

// blockTexts finds the texts of a block in its start frame or in a message.
func (d *editor) blockTexts(v strictjson.Value, b *blocks.Block) {
	d.Texts.At(dialect.Channel{Item: b.Index})
	switch b.Kind {
	case blocks.Said:
		d.Texts.Object(v, saidFields[b.Type])
	case blocks.Result:
		d.Texts.Object(v, resultFields)
	case blocks.Asked, blocks.Ran:
		d.Texts.Object(v, callFields)
	}
	b.Cited = d.Texts.Next(dialect.Citation)
	d.Texts.Outside()
}

func (d *editor) deltaTexts(root strictjson.Value, b *blocks.Block) {
	d.Texts.At(dialect.Channel{Item: b.Index})
	d.Texts.SetNext(dialect.Citation, b.Cited)
	d.Texts.Object(root, framesOf[typeBlockDelta])
	if b.Kind != blocks.Unknown {
		delta, _ := root.Member("delta")
		d.Texts.Object(delta, deltaFields)
	}
	b.Cited = d.Texts.Next(dialect.Citation)
}
