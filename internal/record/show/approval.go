package show

import (
	"strings"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

// approvalTelling has the words for a step of an approval.
func approvalTelling(word, step string) telling {
	return telling{parts: of(approvalParts), word: word, more: of(approvalMore), step: approvalStep(step)}
}

// approvalParts say what became of a question to a person.
func approvalParts(e record.Event, d record.Approval) []string {
	return append([]string{nameIf(d.ID), nameIf(e.Tool)}, approvalMore(e, d)...)
}

func approvalMore(_ record.Event, d record.Approval) []string {
	voted := ""
	if d.Vote != "" {
		voted = inert.Name(d.Vote, nameLength)
	}
	by := ""
	if len(d.By) > 0 {
		by = namesOf("by", d.By)
	}
	return []string{nameIf(d.State), voted, by, inert.Text(d.Said, 200)}
}

// approvalStep is what a step of an approval adds to the story of its call.
func approvalStep(what string) func(record.Event) string {
	return func(e record.Event) string {
		d, _ := e.Detail.(record.Approval)
		var more []string
		for _, part := range append(approvalMore(e, d), nameIf(d.ID)) {
			if part != "" {
				more = append(more, part)
			}
		}
		return what + ": " + strings.Join(more, ", ")
	}
}
