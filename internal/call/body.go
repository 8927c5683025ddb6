package call

// A Body is what is known of the body of a request or response that was to be kept. The zero value says that there is none.
type Body struct {
	Digest string `json:"digest,omitzero"` // "sha256:" and hex, of the text as it is kept: redacted, and cut if it was long
	Size   int64  `json:"size,omitzero"`   // of that text, in bytes
	// FullSize is the size of the whole body, if its end was cut off.
	FullSize int64 `json:"full_size,omitzero"`
	// NotKept is why the body is not kept; "": it is.
	NotKept NotKept `json:"not_kept,omitzero"`
}

// NotKept is why a body is not kept: one of the constants.
type NotKept string

// The reasons.
const (
	Overload   NotKept = "overload"           // more bodies waited than there is room for
	Unreadable NotKept = "unreadable"         // it is no text, so that nothing could be hidden in it
	Unstored   NotKept = CodeStoreUnavailable // the store did not take it
	Shutdown   NotKept = "shutdown"           // weir ended before it was stored
)

// Bodies are those of an exchange.
type Bodies struct {
	Request  Body // as it was sent to the upstream
	Response Body // as the agent got it
}
