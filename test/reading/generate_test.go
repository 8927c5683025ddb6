package reading

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// A generator makes up commands.
type generator struct {
	*rand.Rand
	*shapes
	before []string // what must stand in front of the command, in the same shell
	bash   bool     // the text is for bash alone
	names  int      // of variables and functions so far
}

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

// name returns a name that was not used before.
func (g *generator) name() string {
	g.names++
	return "v" + strconv.Itoa(g.names)
}

// quote writes a text as one word, for every shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// literal writes a text as a string of Python, JavaScript, Perl or awk: these have the escapes of C.
func literal(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "$", `\$`, "@", `\@`).Replace(text) + `"`
}

// plainLiteral is literal for languages in which neither $ nor @ means anything in a string.
func plainLiteral(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}

var words = []string{
	"-rf", "-f", "--force", "--recursive", "--data=@a.txt", "-X", "DELETE", "/srv/data", "/etc/passwd", "a b", "it's", "$x", "*", "?", "[a]",
	"~", "~/x", "", "-", "--", "x;y", "a|b", "ümlaut", `back\slash`, `"q"`, "two\nlines", "{a,b}", "https://example.org/x?a=b&c=d", "delete",
	"apply", "a.txt", "b.txt", "src", "../up", "#hash", "a#b", "!", "%s", "$(id)", "`id`", "&", ">", "-n", "--namespace", "prod", "0", "007",
	"a=b", "USER@host:/x", "\ttab", "s3://bucket/key",
}

// word writes a word in one of the ways in which a shell reads it as that word.
func (g *generator) word(w string) string {
	forms := []func(string) string{quote, quote, g.double, g.escaped, g.mixed, g.variable, g.variable, g.substituted, g.defaulted, g.here}
	if !strings.Contains(w, "\n") { // bash for all that follow
		forms = append(forms, g.dollarQuoted, g.array, g.sliced, g.replaced, g.reference, g.printed, g.readIn, g.arithmetic)
	}
	if w != "" && !strings.ContainsAny(w, " \t\n'\"\\$`*?[]{}~;|&<>#!()") {
		forms = append(forms, bare, bare, bare, bare, g.trimmed, g.positional, g.braces)
	}
	return pick(g, forms)(w)
}

func bare(w string) string { return w }

func (g *generator) double(w string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(w) + `"`
}

func (g *generator) escaped(w string) string {
	if w == "" || strings.Contains(w, "\n") {
		return quote(w)
	}
	var b strings.Builder
	for _, c := range w {
		b.WriteString(`\` + string(c))
	}
	return b.String()
}

func (g *generator) mixed(w string) string {
	if w == "" {
		return `""''`
	}
	var b strings.Builder
	for _, c := range w {
		switch letter := string(c); g.IntN(3) {
		case 0:
			b.WriteString(quote(letter))
		case 1:
			b.WriteString(g.double(letter))
		default:
			b.WriteString(g.escaped(letter))
		}
	}
	return b.String()
}

// put sets a variable in front of the command.
func (g *generator) put(format string, args ...any) {
	g.before = append(g.before, fmt.Sprintf(format, args...))
}

func (g *generator) variable(w string) string {
	v := g.name()
	g.put("%s=%s", v, quote(w))
	return `"${` + v + pick(g, []string{"", "", ":-other", "?", "#", "%%"}) + `}"`
}

func (g *generator) substituted(w string) string {
	if strings.HasSuffix(w, "\n") {
		return quote(w)
	}
	commands := []string{"printf %s " + quote(w), `printf '%s\n' ` + quote(w), "cat <<'E'\n" + w + "\nE\n"}
	return `"$(` + pick(g, commands) + `)"`
}

func (g *generator) defaulted(w string) string {
	v := g.name()
	if strings.ContainsAny(w, `}'\{"`) {
		return quote(w)
	}
	return pick(g, []string{`"${` + v + `:-` + g.inner(w) + `}"`, `"${` + v + `:=` + g.inner(w) + `}"`, `"${PWD:+` + g.inner(w) + `}"`})
}

// inner escapes a text for within double quotes.
func (g *generator) inner(w string) string { return strings.Trim(g.double(w), `"`) }

func (g *generator) here(w string) string {
	v := g.name()
	g.put("%s=$(cat <<'E'\n%s\nE\n)", v, w)
	return `"$` + v + `"`
}

func (g *generator) dollarQuoted(w string) string {
	g.bash = true
	var b strings.Builder
	for _, c := range []byte(w) {
		switch g.IntN(4) {
		case 0:
			fmt.Fprintf(&b, `\x%02x`, c)
		case 1:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteString(strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(string([]byte{c})))
		}
	}
	return "$'" + b.String() + "'"
}

func (g *generator) array(w string) string {
	g.bash = true
	v := g.name()
	g.put("%s=(first %s)", v, quote(w))
	return pick(g, []string{`"${` + v + `[1]}"`, `"${` + v + `[-1]}"`, `"${` + v + `[@]:1}"`})
}

func (g *generator) sliced(w string) string {
	g.bash = true
	v := g.name()
	g.put("%s=%s", v, quote("ab"+w))
	return `"${` + v + `:2}"`
}

func (g *generator) replaced(w string) string {
	g.bash = true
	v := g.name()
	g.put("%s=%s", v, quote("@@"+w))
	return pick(g, []string{`"${` + v + `/@@/}"`, `"${` + v + `//@@/}"`, `"${` + v + `/#@@}"`, `"${` + v + `#@@}"`})
}

func (g *generator) reference(w string) string {
	g.bash = true
	v, r := g.name(), g.name()
	g.put("%s=%s; %s=%s", v, quote(w), r, v)
	return `"${!` + r + `}"`
}

func (g *generator) printed(w string) string {
	g.bash = true
	v := g.name()
	g.put("printf -v %s %%s %s", v, quote(w))
	return `"$` + v + `"`
}

func (g *generator) readIn(w string) string {
	g.bash = true
	v := g.name()
	g.put(pick(g, []string{"IFS= read -r %s <<< %s", "mapfile -t %s <<< %s"}), v, quote(w))
	return `"$` + v + `"`
}

func (g *generator) arithmetic(w string) string {
	n, err := strconv.Atoi(w)
	if err != nil || strconv.Itoa(n) != w {
		return quote(w)
	}
	return pick(g, []string{fmt.Sprintf("$((%d-4))", n+4), fmt.Sprintf("$((%d/2))", n*2), fmt.Sprintf(`"$((1?%d:9))"`, n)})
}

func (g *generator) trimmed(w string) string {
	v := g.name()
	g.put("%s=%s", v, quote("pre/"+w))
	return pick(g, []string{"${" + v + "#pre/}", "${" + v + "#*/}"})
}

func (g *generator) positional(w string) string {
	f := g.name()
	return `$(` + f + `() { printf %s "$2"; }; ` + f + ` x ` + w + `)`
}

func (g *generator) braces(w string) string {
	g.bash = true
	if len(w) < 2 {
		return w
	}
	return w[:1] + pick(g, []string{"{" + w[1:] + ",}", w[1:]}) // a second word, without the end
}

// simple makes a simple command of a stub, and the words that it could be given.
func (g *generator) simple() string {
	list := []string{g.program(pick(g, stubNames))}
	for range g.IntN(4) {
		list = append(list, g.word(pick(g, words)))
	}
	return strings.Join(list, " ")
}

func (g *generator) program(name string) string {
	switch g.IntN(8) {
	case 0:
		return g.word(name)
	case 1:
		return stubs + "/" + name
	case 2:
		return `\` + name
	case 3:
		return `"$(command -v ` + name + `)"`
	}
	return name
}

// command makes a text that runs a stub, within some layers.
func (g *generator) command(layers int) string {
	text := g.simple()
	if g.IntN(2) == 0 {
		text = fmt.Sprintf(pick(g, g.prefixes), text)
	}
	text += pick(g, g.suffixes)
	for len(g.before) > 0 {
		last := len(g.before) - 1
		text = g.before[last] + pick(g, []string{"; ", "\n", "\n", " && "}) + text
		g.before = g.before[:last]
	}
	for range layers {
		text = g.around(pick(g, g.layers), text)
	}
	return text
}
