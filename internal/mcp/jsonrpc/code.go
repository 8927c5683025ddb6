package jsonrpc

// A Code is the code of an error response.
type Code int64

// The codes of JSON-RPC.
const (
	CodeParse          Code = -32700 // the text is not JSON
	CodeInvalidRequest Code = -32600 // the text is JSON, but not a message that can be passed on
	CodeMethodNotFound Code = -32601 // the method does not exist, or is not offered
	CodeInvalidParams  Code = -32602 // the parameters do not fit the method; also for an unknown tool
	CodeInternal       Code = -32603 // the peer could not respond: it ended, timed out, or sent something that cannot be passed on
)

// The codes of MCP.
const (
	CodeUserRejected       Code = -1     // the person behind the client does not want the server to use the model
	CodeResourceNotFound   Code = -32002 // the resource does not exist, in versions before 2026-07-28
	CodeHeaderMismatch     Code = -32020 // a header does not match the body
	CodeCapabilityRequired Code = -32021 // the request needs a capability that the client did not declare
	CodeVersion            Code = -32022 // the protocol version is not supported
	CodeURLElicitation     Code = -32042 // the client must first send its user to an address: an elicitation, in the form of an error
)
