package condition

import (
	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/toolact"
	"github.com/weir-gate/weir/internal/text/truth"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// ActWords are the kinds of what tools do.
var ActWords = yamlfile.Choice{What: "what a tool does", Words: toolact.Names(), Meanings: map[string]string{
	toolact.Read.String():    "It only reads.",
	toolact.Reveal.String():  "It hands out a secret.",
	toolact.Write.String():   "It changes something in an everyday way.",
	toolact.Destroy.String(): "It deletes, empties or overwrites.",
	toolact.Stop.String():    "It stops, disables or cancels.",
	toolact.Publish.String(): "It makes something public, deploys it, or sends it to people outside.",
	toolact.Pay.String():     "It moves money, or sets prices.",
	toolact.Grant.String(): "It gives rights, or changes what protects and leads others: members, roles, keys, secrets, webhooks, " +
		"rules for mail, DNS, protection, flags.",
	toolact.Unknown.String(): "Nothing is known.",
}}

// wholeCall selects all arguments, for an operator that looks at the tool as well.
var wholeCall = &yamlfile.Node{Kind: yamlfile.String, Text: "$"}

// actsTest looks at what the tool of a call does, as its name and arguments say.
func actsTest(c *Compiler, n *yamlfile.Node) (test, bool) {
	items, fine := c.report.OneOrMore(n, "what a tool does")
	if !fine {
		return test{}, false
	}
	var wanted toolact.Act
	for _, item := range items {
		word, known := c.report.Word(item, ActWords)
		wanted |= toolact.Named(word)
		fine = fine && known
	}
	return test{acts: wanted, typed: func(f *Facts, v *argument.Value) answer {
		if v == &f.more {
			return nothing // what is beside the arguments is not for the tool
		}
		var parts []truth.Value
		for _, act := range f.actsOf(v).Each() {
			parts = append(parts, map[bool]truth.Value{true: truth.Yes, false: truth.No}[act&wanted != 0])
		}
		return all(parts)
	}}, fine
}

// actsOf is what the tool of the call does if it is given these arguments.
func (f *Facts) actsOf(v *argument.Value) toolact.Act {
	f.work.spend(actsPerValue*f.size + v.TextSize())
	name := toolact.NewName(f.As.Server, f.As.Tool)
	list := told(nil, nil, v)
	out := name.Acts()
	for _, a := range list {
		out |= name.ActsOf(a) | name.Inner(a)
	}
	return (name.Soften(out, list) | name.Page(list) | name.GivesShell(list)).Plain()
}

// maxToldDepth bounds how deep the arguments are looked at.
const maxToldDepth = 16

// told lists the values in arguments with the names of the members that they are in.
func told(out []toolact.Argument, names []string, v *argument.Value) []toolact.Argument {
	if len(names) > maxToldDepth {
		return out
	}
	names = names[:len(names):len(names)]
	switch v.Kind {
	case '{':
		if len(names) > 0 && len(v.Members) > 0 {
			out = append(out, toolact.Argument{Names: names, Holds: true})
		}
		for i := range v.Members {
			out = told(out, append(names, v.Members[i].Name), &v.Members[i].Value)
		}
	case '[':
		if len(names) > 0 && len(v.Items()) == 0 {
			out = append(out, toolact.Argument{Names: names}) // a list that is emptied
		}
		for _, item := range v.Items() {
			out = told(out, names, item)
		}
	default:
		out = append(out, toolact.Argument{Names: names, Text: v.Text, True: v.Kind == 't', False: v.Kind == 'f'})
	}
	return out
}
