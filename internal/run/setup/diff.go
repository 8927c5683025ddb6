package setup

import (
	"fmt"
	"strings"

	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/linediff"
)

// Diff returns a unified diff of what will change, for people. Control sequences for terminals are escaped.
func (p *Plan) Diff() string {
	var b strings.Builder
	for _, f := range p.files {
		f.diff(&b)
	}
	return b.String()
}

func (f planned) diff(b *strings.Builder) {
	from, to := f.path, f.path
	if !f.exists {
		from = ""
	}
	if f.gone {
		to = ""
	}
	linediff.WriteNames(b, from, to)
	d := linediff.Of(f.data, f.after)
	if d.Long() { // the changed settings are shown instead
		f.tellSettings(b)
		return
	}
	d.WriteHunks(b)
}

// tellSettings writes the changes setting by setting.
func (f planned) tellSettings(b *strings.Builder) {
	e, err := editorFor(f.format)
	if err != nil {
		return // the file was edited with this editor
	}
	before, errBefore := e.read(f.data)
	after, errAfter := e.read(f.after)
	if errBefore != nil || errAfter != nil {
		fmt.Fprintln(b, "@@ the whole file @@")
		return
	}
	fmt.Fprintln(b, "@@ settings; the lines are too long to show @@")
	for _, d := range differences(before, after, nil) {
		if d.hadBefore {
			fmt.Fprintf(b, "-%s = %s\n", pathText(d.path), settingText(d.before))
		}
		if d.hasAfter {
			fmt.Fprintf(b, "+%s = %s\n", pathText(d.path), settingText(d.after))
		}
	}
}

func settingText(v any) string {
	text, err := renderTOML(v)
	if err != nil {
		text = jsonStyle{compact: true}.render(v, "")
	}
	return inert.Text(text, linediff.LongestLine)
}
