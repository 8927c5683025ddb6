// Package jsonrpc parses and writes MCP's JSON-RPC 2.0 messages. It does not change bytes that need no change.
//
// A message is parsed once, strictly, and what is not changed is sent as it came. Clients and servers differ in what they accept.
// Nobody may read a message that was not judged, or read it differently from the judge. So every input on which readers are known
// to differ is either normalised to a form that all read the same, or refused:
//
//   - CR at the end of a line: normalised. Some readers take it for white space, others cut it off; the Writer ends lines in LF.
//   - An object over several lines: normalised. A reader of a stream accepts it, a reader of lines does not; the Writer makes it
//     one line. The same holds for white space around an object, which some take for a second message.
//   - A last object without LF: normalised. Some readers accept it, so it is delivered, and sent with an LF.
//   - Two objects on one line: both refused. Some readers read the first before they fail, some neither.
//   - An array: split into its messages, each of which is judged separately. The caller knows whether the peer's version has
//     batches: Message.Batch says which messages came together, and collects their responses. An empty array is refused.
//   - A member named jsonrpc, id, method, params, result or error that is given twice, or in another case: refused. Which one
//     counts depends on the reader.
//   - Other members of a message: left out. Readers ignore them, refuse the message, or act on them without a ruling.
//     Message.LeftOut names them. A message without such members is sent as it came.
//   - An id that is null, a fraction, written with an exponent, or too large for a double: refused. Some readers take it for a
//     notification, or send it back as another number. Only an error response may have no id: JSON-RPC allows that if the request
//     could not be parsed. Such a response belongs to no request.
//   - Members of two kinds of message, such as a method and a result: refused. Some readers take it for a request.
//   - Params that are null: the same as none for all readers, and left unchanged. Other params, results and errors that are not
//     objects: refused.
//   - A byte order mark, invalid UTF-8, control characters in strings: refused.
//   - U+0085, U+2028 and U+2029 in strings: normalised. Some readers split lines there; the Writer escapes them.
//   - A message over the bound of size, of depth or of the number of values: refused. Bounds differ, and half a message must not be
//     read as a whole one.
//
// Text that is not a message, such as the lines of a log, is skipped by the Reader and reported.
//
// No error of this package contains a byte of the input.
package jsonrpc
