package bedrock

import (
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// The texts of the format. An item is a block, by its place and not by its index, which may leave gaps. Nothing is said again.
//
//	in a stream                    in a body                       kind
//	delta.text                     text, citationsContent.content  Answer     pieces
//	delta.reasoningContent.text    reasoningContent.reasoningText  Reasoning  pieces; signed
//	delta.citation                 citationsContent.citations      Citation   one piece for each string
//	delta.toolResult               toolResult.content              Output     one piece for each string
//	                               document, guardContent          Answer     one piece for each string
//	                               searchResult                    Output     one piece for each string
//	exceptions                     message of the body             Failure
//	trace and additionalModelResponseFields, wherever they are     Echo
//	any other member                                               Elsewhere
//
// Not text are calls, blocks of an unknown kind, which are calls too, signatures, images, sound and other bytes.
var (
	frameFields = dialect.NotTexts("contentBlockIndex", "p", "role", "stopReason", "usage", "metrics", "performanceConfig", "serviceTier").And(
		dialect.Field{Name: "trace", Kind: dialect.Echo},
		dialect.Field{Name: "additionalModelResponseFields", Kind: dialect.Echo},
		dialect.Field{Name: "message", Kind: dialect.Failure},
	)
	// around are frames whose own member is looked at by itself.
	aroundStart = frameFields.And(dialect.Field{Name: "start"})
	aroundDelta = frameFields.And(dialect.Field{Name: "delta"})
	aroundBody  = frameFields.And(dialect.Field{Name: "output"})

	callFields    = dialect.Field{Name: unitCall, In: dialect.NotTexts(callMembers...)}
	contentFields = dialect.NotTexts("image", "video").And(
		dialect.Field{Name: "json", Kind: dialect.Output},
		dialect.Field{Name: "document", Kind: dialect.Output, Except: binary},
	)
	startFields = dialect.NotTexts(unitImage).And(callFields,
		dialect.Field{Name: unitResult, In: dialect.NotTexts("toolUseId", "status", "type")})
	deltaFields = dialect.NotTexts(unitImage).And(callFields,
		dialect.Field{Name: unitText, Kind: dialect.Answer},
		dialect.Field{Name: unitReasoning, In: thoughtFields},
		dialect.Field{Name: unitCitation, Kind: dialect.Citation},
		dialect.Field{Name: unitResult, Kind: dialect.Output, In: contentFields},
	)
	thoughtFields = dialect.NotTexts("signature", "redactedContent").And(dialect.Field{Name: "text", Kind: dialect.Reasoning})
	blockFields   = dialect.NotTexts(unitImage, "video", "audio", "cachePoint").And(callFields,
		dialect.Field{Name: unitText, Kind: dialect.Answer},
		dialect.Field{Name: unitReasoning, In: dialect.NotTexts("redactedContent").And(
			dialect.Field{Name: "reasoningText", In: thoughtFields})},
		dialect.Field{Name: "citationsContent", In: dialect.Fields{
			{Name: "content", Kind: dialect.Answer},
			{Name: "citations", Kind: dialect.Citation},
		}},
		dialect.Field{Name: unitResult, In: dialect.NotTexts("toolUseId", "status", "type").And(
			dialect.Field{Name: "content", Kind: dialect.Output, In: contentFields})},
		dialect.Field{Name: "document", Kind: dialect.Answer, Except: binary},
		dialect.Field{Name: "guardContent", Kind: dialect.Answer, Except: append(binary, "qualifiers")},
		dialect.Field{Name: "searchResult", Kind: dialect.Output},
	)
)

// binary are members that say where and in what form something is that is no text.
var binary = dialect.Documented{"format", "bytes", "s3Location"}

// findTexts finds the texts of the frame that was read last.
func (d *response) findTexts(f frame.Frame, plan any) []dialect.Span {
	d.texts.Begin()
	root := d.doc.Root()
	s, _ := plan.(*structure)
	switch b, _ := plan.(*block); {
	case b != nil:
		d.deltaTexts(root, b)
	case f.Failure:
		d.texts.Add(root, dialect.Failure, nil)
	case s != nil && s.typ == typeBody:
		d.bodyTexts(root, s.whole)
	case s != nil && s.typ == typeBlockStart:
		d.texts.At(dialect.Channel{Item: s.block.item})
		d.texts.Object(root, aroundStart)
		d.pieceTexts(root, s.block, "start", startFields)
	case s != nil && s.typ == typeBlockDelta:
		d.deltaTexts(root, s.block)
	default:
		d.texts.Object(root, frameFields)
	}
	return d.texts.Finish(&d.sieve)
}

func (d *response) deltaTexts(root strictjson.Value, b *block) {
	d.texts.At(dialect.Channel{Item: b.item})
	d.texts.SetNext(dialect.Citation, b.cited)
	d.texts.SetNext(dialect.Output, b.given)
	d.texts.Object(root, aroundDelta)
	d.pieceTexts(root, b, "delta", deltaFields)
	b.cited, b.given = d.texts.Next(dialect.Citation), d.texts.Next(dialect.Output)
}

// pieceTexts finds the texts of what a frame has of a block in the member of that name.
func (d *response) pieceTexts(root strictjson.Value, b *block, name string, fields dialect.Fields) {
	if b.kind != unknown {
		piece, _ := root.Member(name)
		d.texts.Object(piece, fields)
	}
}

// bodyTexts finds the texts of a body, which has these blocks.
func (d *response) bodyTexts(root strictjson.Value, blocks []*block) {
	d.texts.Object(root, aroundBody)
	output, _ := root.Member("output")
	d.texts.Object(output, dialect.Fields{{Name: "message"}})
	message, _ := output.Member("message")
	d.texts.Object(message, dialect.Fields{{Name: "role"}, {Name: "content"}})
	content, _ := message.Member("content")
	i := 0
	for v := range content.Elems() {
		if b := blocks[i]; b.kind != unknown {
			d.texts.At(dialect.Channel{Item: b.item})
			d.texts.Object(v, blockFields)
		}
		i++
	}
}
