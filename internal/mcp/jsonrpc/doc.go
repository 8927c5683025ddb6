// Package jsonrpc reads and writes MCP's JSON-RPC 2.0 messages, keeping their bytes.
//
// A message is parsed once, strictly, and what is not changed goes out as it came. Clients and servers differ in what they
// read. So that nobody reads a message that was not judged, or another than was judged, every input on which they are known
// to differ is either brought into the one form that all read alike, or refused:
//
//   - CR at the end of a line: normalised. It is white space to some and cut off by others; the Writer ends lines in LF.
//   - An object over several lines: normalised. A reader of a stream takes it, a reader of lines does not; the Writer makes it
//     one line. So with white space around an object, which some take for a second message.
//   - A last object without LF: normalised. It may be read, so it is delivered, and goes out with an LF.
//   - Two objects on one line: refused, both. Some read the first before they fail, some neither.
//   - An array: split into its messages, of which each is judged by itself. Whether the peer's version has batches is known to
//     the caller: Message.Batch says which came together, and collects their responses. An empty array is refused.
//   - A member named jsonrpc, id, method, params, result or error that is there twice, or in another case: refused. Which one
//     counts depends on the reader.
//   - Other members of a message: left out. Readers ignore them, refuse the message, or do as they say, which nobody judged.
//     Message.LeftOut names them. A message without any goes out as it came.
//   - An id that is null, a fraction, written with an exponent, or too large for a double: refused. It is a notification to
//     some, or comes back as another number. Only an error response may have none, since JSON-RPC has it so
//     when the request could not be read; it answers nobody.
//   - Members of two kinds of message, as a method and a result: refused. Some take it for a request.
//   - Params that are null: the same as none to those who read them, and kept. Other params, results and errors that are not
//     objects: refused.
//   - A byte order mark, invalid UTF-8, control characters in strings: refused.
//   - U+0085, U+2028 and U+2029 in strings: normalised. Some split lines there; the Writer escapes them.
//   - A message over the bound of size, of depth or of the number of values: refused. Bounds
//     differ, and half a message must not be read as a whole one.
//
// Text that is no message, like the lines of a log, is skipped by the Reader and reported.
//
// No error of this package contains a byte of the input.
package jsonrpc
