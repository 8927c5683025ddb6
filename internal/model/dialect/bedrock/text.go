package bedrock

import (
	"github.com/weir-gate/weir/internal/frame"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/model/dialect/blocks"
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
	// The around tables are for frames whose own member is handled separately.
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

// binary are members with the location, the format and the bytes of something that is not text.
var binary = dialect.Documented{"format", "bytes", "s3Location"}

// findTexts finds the texts of the frame that was parsed last.
func (d *editor) findTexts(f frame.Frame, plan any) {
	root := d.Doc.Root()
	s, _ := plan.(*blocks.Structure)
	switch b, _ := plan.(*blocks.Block); {
	case b != nil:
		d.deltaTexts(root, b)
	case f.Failure:
		d.Texts.Add(root, dialect.Failure, nil)
	case s != nil && s.Type == typeBody:
		d.bodyTexts(root, s.Whole)
	case s != nil && s.Type == typeBlockStart:
		d.Texts.At(dialect.Channel{Item: s.Block.Item})
		d.Texts.Object(root, aroundStart)
		d.pieceTexts(root, s.Block, "start", startFields)
	case s != nil && s.Type == typeBlockDelta:
		d.deltaTexts(root, s.Block)
	default:
		d.Texts.Object(root, frameFields)
	}
}

func (d *editor) deltaTexts(root strictjson.Value, b *blocks.Block) {
	d.Texts.At(dialect.Channel{Item: b.Item})
	d.Texts.SetNext(dialect.Citation, b.Cited)
	d.Texts.SetNext(dialect.Output, b.Given)
	d.Texts.Object(root, aroundDelta)
	d.pieceTexts(root, b, "delta", deltaFields)
	b.Cited, b.Given = d.Texts.Next(dialect.Citation), d.Texts.Next(dialect.Output)
}

// pieceTexts finds the texts of a block in the member of that name of a frame.
func (d *editor) pieceTexts(root strictjson.Value, b *blocks.Block, name string, fields dialect.Fields) {
	if b.Kind != blocks.Unknown {
		piece, _ := root.Member(name)
		d.Texts.Object(piece, fields)
	}
}

// bodyTexts finds the texts of a body, which has these blocks.
func (d *editor) bodyTexts(root strictjson.Value, all []*blocks.Block) {
	d.Texts.Object(root, aroundBody)
	output, _ := root.Member("output")
	d.Texts.Object(output, dialect.Fields{{Name: "message"}})
	message, _ := output.Member("message")
	d.Texts.Object(message, dialect.Fields{{Name: "role"}, {Name: "content"}})
	content, _ := message.Member("content")
	i := 0
	for v := range content.Elems() {
		if b := all[i]; b.Kind != blocks.Unknown {
			d.Texts.At(dialect.Channel{Item: b.Item})
			d.Texts.Object(v, blockFields)
		}
		i++
	}
}
