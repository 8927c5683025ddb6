// Package scan finds what could mislead a model in texts of MCP servers: definitions of tools, results, prompts and instructions.
//
// A text is read as a model reads it and as a person sees it. For the model, letters are folded (compatibility forms, look-alikes
// of other scripts, marks, case), invisible characters are left out, and words that were cut up are joined; text hidden in tag
// characters, variation selectors, zero-width bits, escapes or encodings is decoded and read too. Where the two readings differ,
// the difference is itself a finding. Everything is linear in the length of the text.
//
// The rules, by class:
//
//	instruction.override     asks to ignore, forget or replace earlier instructions
//	instruction.conceal      asks to hide something from the user
//	instruction.tag          has a tag that sets a text apart as an order, such as <IMPORTANT>
//	instruction.role         has a mark of a chat template or of another speaker
//	instruction.precondition demands that something else be read or done before the tool is used
//	instruction.persona      gives the model a new role or lifts its limits
//	instruction.urgency      orders the model to act at once, or threatens it
//	instruction.action       a result, or its fake error, that orders a further tool call
//	instruction.sleeper      an order that waits for a later event
//	secret.read              asks to read keys, passwords or files that hold them
//	secret.parameter         asks to carry contents or the conversation out in a parameter
//	exfil.send               asks to send data, files or the conversation to an address
//	exfil.prompt             asks for the system prompt or the conversation
//	exfil.command            has a command that fetches code and runs it, or sends a file away
//	cross.instruction        says what to do when another tool is called
//	cross.tool               names a tool of another server; worse with an order about it
//	unicode.invisible        characters that nobody sees
//	unicode.bidi             characters that turn the order of letters around
//	unicode.tags             a text in tag characters
//	unicode.selectors        bytes in variation selectors
//	unicode.homoglyph        letters of another script instead of Latin letters
//	terminal.escape          escape sequences; worse where they hide, move or erase
//	terminal.control         other control characters
//	encoded.text             a blob that decodes to a text with findings
//	encoded.blob             a blob in a definition that decodes to a readable text
//	layout.blanks            blanks that push text out of view
//	markup.comment           a comment of HTML or Markdown: in a definition, or with findings in it
//	markup.hidden            an element that is not shown, with findings in it
//	markup.exfil             an image or link whose address is to be filled with data
//	scan.bounds              a text too long to be read whole
//	scan.unreadable          a schema that is not strict JSON
//	custom.<name>            a pattern of the configuration
//
// Wording alone is less severe in a result than in a definition: pages can be about anything. It is more severe when it was hidden,
// and when wording of several classes meets in one text. A text that quotes an attack in order to discuss it is of low severity.
package scan
