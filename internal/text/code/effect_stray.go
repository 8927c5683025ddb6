package code

import (
	"slices"
	"strings"
)

// What code reads may reach a connection on ways that are not followed: through a handle, an object or a function of its own. Code that
// reads a file and sends something of which nothing is known counts as sending the file.

// A request is a request whose body is not known.
type request struct {
	words []string // without the body and the address
	url   string
}

// readsFile notes what code reads by name.
func (e *evaluator) readsFile(name string) {
	if !e.collecting() && name != Unknown {
		e.strays = e.strays.with(taint{files: []string{name}})
	}
}

// readsOutput notes that code reads what a command prints.
func (e *evaluator) readsOutput(command value) {
	for _, line := range command.texts {
		switch strings.TrimSpace(line) {
		case "env", "printenv", "set", "export", "export -p", "declare -x":
			if !e.collecting() {
				e.strays.env = true
			}
		}
	}
}

// sendsUnknown notes a request that sends a text of which nothing is known.
func (e *evaluator) sendsUnknown(words []string, url string, body value) {
	if !e.collecting() && !body.known() && !body.list && len(e.vague) < maxTaint {
		e.vague = append(e.vague, request{slices.Clone(words), url})
	}
}

// formFiles reads the form of a request in Perl, in which a list is a file: [name => ["file"]].
func (e *evaluator) formFiles(body value) (from taint) {
	if e.language != Perl || !body.list {
		return from
	}
	for _, field := range body.items {
		if field.list && len(field.items) > 0 && field.items[0].known() {
			from.files = more(from.files, field.items[0].texts, maxTaint)
		}
	}
	return from
}

// readsArguments notes the files in @ARGV, if Perl reads them by the handle without a name.
func (e *evaluator) readsArguments(text string) {
	files, ok := e.vars["$ARGV"]
	if e.language != Perl || !ok || !strings.Contains(text, "<>") && !strings.Contains(text, "<ARGV>") && !strings.Contains(text, "<<>>") {
		return
	}
	for _, names := range append(files.flat(), files.texts) {
		for _, name := range names {
			e.note(Act{Words: []string{"cat", "--", name}})
			e.readsFile(name)
		}
	}
}

// finishRequests notes that such requests send what was read.
func (e *evaluator) finishRequests() {
	for _, r := range e.vague {
		e.transferFrom(r.words, r.url, e.strays)
	}
}

// transferFrom notes requests with what comes from somewhere.
func (e *evaluator) transferFrom(words []string, url string, from taint) {
	for _, source := range from.sources() {
		if source[0] == "cat" {
			e.note(Act{Words: append(slices.Clone(words), "--data-binary", "@"+source[2], url)})
			continue
		}
		e.note(Act{Words: append(slices.Clone(words), "--data-binary", "@-", url), From: source})
	}
}
