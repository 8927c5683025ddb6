package shell

import (
	"slices"
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
		"computed":         "x='x[x" + repeat(" x") + "]'; echo $((x))",
		"subscripts":       "x='" + repeat("a[$(") + "'; echo $((x))",
		"tests of numbers": "[[ a -eq 1" + repeat(" && a -eq 1") + " ]]",
		"tmux":             "tmux " + repeat("bind a "),
		"tmux commands":    "tmux " + repeat(`a \; `),
		"expect":           "expect -c '" + repeat("spawn ") + "'",
		"vim":              "vim -c '" + repeat("!a ") + "'",
		"gdb":              "gdb -ex '" + repeat("shell a\n") + "'",
		"named code":       "python -c 'c=1;" + repeat("system(c);") + "'",
		"perl lists":       "perl -e '" + repeat("qw(a ") + "'",
		"perl quotes":      "perl -e '" + repeat("system(q(a));") + "'",
		"entries":          "bwrap " + repeat("--bind a b ") + "ls",
		"elif variables":   "if a; then b; " + repeat("elif x=1; then b; ") + "fi",
		"hooks":            repeat("PAGER='PAGER=a' a;"),
		"redirections":     "ls " + repeat(">a "),
		"inputs":           "ls " + repeat("<a "),
		"dollars":          repeat("$"),
		"program of holes": repeat("a$a"),
		"hash tables":      repeat("$a = @{"),
		"quotes of power":  repeat("Get-Content '"),
		"opens":            "python3 -c '" + repeat("open(") + "'",
		"open literals":    "python3 -c '" + repeat(`open("`) + "'",
		"triple quotes":    "python3 -c '" + repeat(`open("""`) + "'",
		"deep globs":       "rm " + repeat("*/"),
		"deep dots":        "rm " + repeat("../"),
		"actions":          "find . " + repeat(`-exec rm {} \; `),
		"batches":          "find . " + repeat("-exec ls {} + "),
		"git folders":      "git " + repeat("-C . ") + "status",
		"xargs":            repeat("xargs "),
		"envs":             repeat("env "),
		"made-up options":  "sudo " + repeat("--zz x "),
		"unknown letters":  "sudo -" + repeat("~"),
		"shortened":        "rsync " + repeat("--e "),
		"groups":           "docker " + repeat("--zz container "),
		"git words":        "git " + repeat("--zz rebase --exec ls "),
		"hosts":            "ssh " + repeat("--zz h "),
		"power blocks":     repeat("if ($?) { "),
		"power texts":      "if ($?) {" + repeat(`"$(`),
		"power strings":    "if ($?) {" + repeat("@\"\n"),
		"power methods":    repeat("[a]::b("),
		"power continued":  "if ($?) {" + repeat(" `\n"),
		"power tries":      repeat("try { a } "),
	}
}

func TestHostile(t *testing.T) {
	for name, text := range hostile(1 << 16) {
		t.Run(name, func(t *testing.T) { Read(text, Start{}) })
	}
}

// Twice the text takes about twice the steps.
func TestStepsGrowWithTheText(t *testing.T) {
	const size = 1 << 14
	steps := func(text string) int {
		r := newReader(len(text))
		before := r.fuel
		r.text(text, r.outermost(), pipes{})
		return before - r.fuel
	}
	for _, name := range []string{
		"redirections", "inputs", "dollars", "program of holes", "hash tables", "quotes of power", "opens", "deep globs", "deep dots", "words", "semicolons",
		"actions", "batches", "git folders", "xargs", "envs",
		"made-up options", "unknown letters", "shortened", "groups", "git words", "hosts", "sudos", "power blocks", "power texts", "power strings", "power methods", "power continued", "power tries",
	} {
		once, twice := steps(hostile(size)[name]), steps(hostile(2 * size)[name])
		if twice > 3*once {
			t.Errorf("%s: %d steps, and %d for twice the text", name, once, twice)
		}
	}
}

// Past a bound, the rest of a text could run anything.
func TestBounds(t *testing.T) {
	for name, text := range map[string]string{
		"redirections": "ls " + strings.Repeat(">a ", maxRedirect+1),
		"code":         "python3 -c '" + strings.Repeat("a ", maxCode/2+1) + "'",
		"actions":      "find . " + strings.Repeat(`-exec a {} \; `, maxActions+1),
		"options":      "sudo " + strings.Repeat("--zz x ", maxStarts+1),
		"wrappers":     strings.Repeat("sudo ", 1<<16),
		"PowerShell":   "Get-Content x; $a = (1, @{" + strings.Repeat(" a", maxCode/2),
	} {
		got := slices.ContainsFunc(Read(text, Start{}), func(c Command) bool { return c.Unread })
		if !got {
			t.Errorf("%s: all is read", name)
		}
	}
}

func TestJoinHoles(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{anyWords + anyWords + "a" + anyWords, anyWords + "a" + anyWords},
		{oneChar + oneChar, oneChar + oneChar},
		{fileRun + fileRun + "/" + fileRun, fileRun + "/" + fileRun},
		{anyWords + oneWord, anyWords + oneWord},
	} {
		if got := joinHoles(tt.text); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}
