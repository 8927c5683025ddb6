package call

// A Body is what is known of the body of a request or response that was to be stored. The zero value says that there is none.
type Body struct {
	Digest string `json:"digest,omitzero"` // "sha256:" and hex, of the text as it is stored: redacted, and cut if it was long
	Size   int64  `json:"size,omitzero"`   // of that text, in bytes
	// FullSize is the size of the whole body, if its end was cut off.
	FullSize int64 `json:"full_size,omitzero"`
	// NotStored is why the body is not stored; "": it is.
	NotStored NotStored `json:"not_kept,omitzero"`
}

// NotStored is why a body is not stored: one of the constants.
type NotStored string

// The reasons.
const (
	Overload   NotStored = "overload"           // more bodies waited than there is room for
	Unreadable NotStored = "unreadable"         // it is no text, so that nothing could be hidden in it
	Unstored   NotStored = CodeStoreUnavailable // the store did not take it
	Shutdown   NotStored = "shutdown"           // weir ended before it was stored
)

// Bodies are those of an exchange.
type Bodies struct {
	Request  Body // as it was sent to the upstream
	Response Body // as the agent got it
}
