package jsonrpc

// A Code says in an error response what went wrong.
type Code int64

// The codes of JSON-RPC.
const (
	CodeParse          Code = -32700 // the text is not JSON
	CodeInvalidRequest Code = -32600 // the text is JSON, but no message that can be passed on
	CodeMethodNotFound Code = -32601 // the method does not exist, or is not offered
	CodeInvalidParams  Code = -32602 // the parameters do not fit the method; also for a tool that is not known
	CodeInternal       Code = -32603 // the peer could not answer: it died, timed out, or sent what cannot be passed on
)

// The codes of MCP.
const (
	CodeUserRejected       Code = -1     // the person behind the client does not want the server to use the model
	CodeResourceNotFound   Code = -32002 // the resource is not there, in versions before 2026-07-28
	CodeHeaderMismatch     Code = -32020 // a header does not say what the body says
	CodeCapabilityRequired Code = -32021 // the request needs a capability that the client did not declare
	CodeVersion            Code = -32022 // the protocol version is not supported
	CodeURLElicitation     Code = -32042 // the client must first send its user to an address: an elicitation, in the form of an error
)
