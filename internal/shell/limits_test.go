package shell

import (
	"strings"
	"testing"
)

// hostile texts are long, deep or explosive. Reading them must end, and must not overflow the stack.
func hostile(size int) map[string]string {
	repeat := func(s string) string { return strings.Repeat(s, size/len(s)) }
	return map[string]string{
		"parentheses":      repeat("("),
		"substitutions":    repeat("$("),
		"quoted":           repeat(`"$(`),
		"backquotes":       repeat("`"),
		"braces":           repeat("{"),
		"brace blocks":     repeat("{ "),
		"brace lists":      "echo " + repeat("{a,"),
		"brace closed":     "echo " + repeat("{") + "a,b" + repeat("}"),
		"brace product":    "echo " + repeat("{a,b}"),
		"sequence":         "echo {1..1000000000}",
		"parameters":       repeat("${x:-"),
		"ifs":              repeat("if "),
		"elifs":            "if a; then b; " + repeat("elif a; then b; ") + "fi",
		"whiles":           repeat("while "),
		"nots":             repeat("! "),
		"ands":             "a" + repeat("&&a"),
		"ors":              "a" + repeat("||x=1"),
		"pipes":            "a" + repeat("|a"),
		"semicolons":       repeat("a;"),
		"words":            repeat("a "),
		"one word":         repeat("a"),
		"sum":              "echo $((1" + repeat("+1") + "))",
		"tests":            "[[ a" + repeat(" && a") + " ]]",
		"minuses":          "echo $((" + repeat("-") + "1))",
		"indexes":          repeat("a[a["),
		"here-documents":   repeat("<<a "),
		"assignments":      repeat("x=$x$x;"),
		"appends":          repeat("x+=a;"),
		"variables":        repeat("x=$y;y=$x;"),
		"evals":            repeat("eval "),
		"sudos":            repeat("sudo "),
		"recursion":        "f() { f; f; f; }; f",
		"mutual":           "f() { g; g; }; g() { f; f; }; f",
		"doubling":         "a() { :; }; b() { a; a; }; c() { b; b; }; d() { c; c; }; e() { d; d; }; " + repeat("e;"),
		"loops":            repeat("for x in a b; do x=$x$x; "),
		"while closed":     repeat("while a; do x=$x$y; ") + repeat("done; "),
		"cases":            "case x in " + repeat("a) x=1;; ") + "esac",
		"globs":            repeat("[*?"),
		"code":             "python -c '" + repeat("system(") + "'",
		"code literals":    `python -c 'system("a"` + repeat(`,"a"`) + "'",
		"sed":              "sed '" + repeat("s/a/b/;") + "'",
		"functions":        repeat("f() { a; }; "),
		"aliases":          "alias a=a; " + repeat("a;"),
		"printf":           "x=$(printf '%s' " + repeat("a ") + ")",
		"crontab":          "crontab - <<E\n" + repeat("* * * * * a\n") + "E",
		"unknown options":  "sudo " + repeat("-q a "),
		"process":          repeat("<("),
		"arrays":           "a=(" + repeat("a ") + ");" + strings.Repeat(`"${a[@]}";`, 100),
		"comments":         repeat("#"),
		"newlines":         repeat("\n"),
		"escapes":          repeat(`\\`),
		"replace":          "x=" + strings.Repeat("a", size/2) + ";" + strings.Repeat("x=${x//a/aaaaaaaa};", 20),
		"set":              repeat("set -- a $@;"),
		"double recursion": "f() { $1 f; }; f f",
	}
}

func TestHostile(t *testing.T) {
	for name, text := range hostile(1 << 16) {
		t.Run(name, func(t *testing.T) { Read(text) })
	}
}
