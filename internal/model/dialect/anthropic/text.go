package anthropic

import (
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
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
	// framesOf are the members of frames that have a table of their own.
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

// opaque are members that are no text in what the provider documents, at any depth.
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

// findTexts finds the texts of the frame that was read last.
func (d *response) findTexts(f frame.Frame, plan any) []dialect.Span {
	root := d.doc.Root()
	d.texts.Begin()
	switch plan := plan.(type) {
	case *block:
		d.deltaTexts(root, plan)
	case *structure:
		switch {
		case string(f.Data) == typeDone: // it is no JSON, and was not parsed
		case f.Failure:
			d.texts.Add(root, dialect.Failure, nil)
		default:
			d.structureTexts(root, plan)
		}
	}
	return d.texts.Finish(&d.sieve)
}

func (d *response) structureTexts(root strictjson.Value, s *structure) {
	fields, ok := framesOf[s.typ]
	if !ok {
		fields = frameFields
	}
	message := root
	switch s.typ {
	case typeBlockStart:
		content, _ := root.Member("content_block")
		d.blockTexts(content, s.block)
	case typeMessageStart:
		message, _ = root.Member("message")
		d.texts.Object(message, framesOf[typeMessage])
	}
	d.texts.Object(root, fields)
	if len(s.whole) > 0 {
		content, _ := message.Member("content")
		i := 0
		for v := range content.Elems() {
			d.blockTexts(v, s.whole[i])
			i++
		}
	}
}

// blockTexts finds the texts of a block as it stands in its start or in a message.
func (d *response) blockTexts(v strictjson.Value, b *block) {
	d.texts.At(dialect.Channel{Item: b.index})
	switch b.kind {
	case said:
		d.texts.Object(v, saidFields[b.typ])
	case result:
		d.texts.Object(v, resultFields)
	case asked, ran:
		d.texts.Object(v, callFields)
	}
	b.cited = d.texts.Next(dialect.Citation)
	d.texts.Outside()
}

func (d *response) deltaTexts(root strictjson.Value, b *block) {
	d.texts.At(dialect.Channel{Item: b.index})
	d.texts.SetNext(dialect.Citation, b.cited)
	d.texts.Object(root, framesOf[typeBlockDelta])
	if b.kind != unknown {
		delta, _ := root.Member("delta")
		d.texts.Object(delta, deltaFields)
	}
	b.cited = d.texts.Next(dialect.Citation)
}
