package code

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// givesFirst reads the objects that go through what their first argument has.
func givesFirst(_ *evaluator, c invocation) value { return c.arg(0) }

// yieldsPackages returns the folder in which Python finds packages.
func yieldsPackages(_ *evaluator, _ invocation) value { return text(Unknown + "/site-packages") }

// findsFiles reads find of Perl, whose function gets each file below the folders behind it in $_. A function in brackets was read
// already, so that it is read again by the next pass with what is known now.
func findsFiles(e *evaluator, c invocation) value {
	for _, a := range c.args {
		for _, folder := range a.texts {
			below := text(strings.TrimRight(folder, "/") + "/" + Tree)
			for _, name := range []string{"$_", "$File::Find::name", "$File.Find.name", "$name"} {
				e.set(name, either(e.vars[name], below))
			}
		}
	}
	return value{}
}

// normalizes reads the functions that replace letters by others that look or mean the same.
func normalizes(_ *evaluator, c invocation) value {
	subject := c.arg(1)
	if c.on != nil && c.on.known() {
		subject = *c.on
	} else if !subject.known() {
		subject = c.arg(0)
	}
	return subject.each(func(s string) string {
		if hasHole(s) {
			return s
		}
		return norm.NFKC.String(s)
	})
}
