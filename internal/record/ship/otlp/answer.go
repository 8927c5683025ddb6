package otlp

import "google.golang.org/protobuf/encoding/protowire"

// partialSuccess parses the response to an export: how many spans or records were rejected, and why. Both signals have the same
// fields: in field 1 the count as field 1 and the message as field 2. A response that cannot be parsed counts as a success.
func partialSuccess(answer []byte) (refused int, why string) {
	eachField(answer, func(n protowire.Number, _ uint64, partial []byte) {
		if n != 1 {
			return
		}
		eachField(partial, func(n protowire.Number, number uint64, text []byte) {
			switch n {
			case 1:
				refused = int(min(number, maxRefused))
			case 2:
				why = clean(string(text), maxText)
			}
		})
	})
	return refused, why
}

// maxRefused bounds a wrong count, so that it does not become negative.
const maxRefused = 1 << 30

// eachField calls found for each number and each run of bytes in a message, and ends where the message cannot be parsed.
func eachField(message []byte, found func(n protowire.Number, number uint64, bytes []byte)) {
	for len(message) > 0 {
		n, kind, size := protowire.ConsumeTag(message)
		if size < 0 {
			return
		}
		message = message[size:]
		var number uint64
		var bytes []byte
		switch kind {
		case protowire.VarintType:
			number, size = protowire.ConsumeVarint(message)
		case protowire.BytesType:
			bytes, size = protowire.ConsumeBytes(message)
		default:
			size = protowire.ConsumeFieldValue(n, kind, message)
		}
		if size < 0 {
			return
		}
		found(n, number, bytes)
		message = message[size:]
	}
}
