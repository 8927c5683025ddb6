package code

// A Language is how programs of a language are written, as far as it matters here.
type Language struct {
	// Program is the interpreter, by the name that a shell knows.
	Program string

	line      []string // what begins a comment up to the end of the line
	block     []string // pairs of what begins and ends a comment
	sigils    string   // what variables begin with
	prefixes  string   // letters before a quote, as in python
	raw       string   // quotes whose text has no escapes but for the quote and the backslash
	backtick  byte     // 0: no quote; 't': a template; 'c': a command; 'e': an escape
	fills     string   // how expressions in double quotes begin: '#' for #{x}, '$' for $x and ${x}
	triple    bool     // three quotes hold several lines
	regex     bool     // a slash may begin a pattern
	letters   bool     // q, qq, qw and qx begin quotes
	percent   bool     // %w, %q and %x begin quotes
	brackets  bool     // [[ begins a text
	doubled   bool     // a doubled quote is a quote
	keeps     bool     // the backslash of an unknown escape stays
	adjacent  bool     // strings side by side are joined
	loose     bool     // a name and values after it, without parentheses, are a call
	pipes     bool     // | "command" runs a command, as in awk
	multiword bool     // do shell script, as in AppleScript
	joins     string   // signs that join texts, besides +
	dashes    bool     // names may have dashes
	folds     bool     // the case of names does not count
	power     bool     // PowerShell: commands without parentheses
}

// Languages by the names of their interpreters.
var (
	Python = &Language{
		Program: "python3", line: []string{"#"}, prefixes: "rRbBfFuU", triple: true, keeps: true, adjacent: true,
	}
	JavaScript = &Language{
		Program: "node", line: []string{"//"}, block: []string{"/*", "*/"}, backtick: 't', regex: true, sigils: "$",
	}
	Java = &Language{
		Program: "jshell", line: []string{"//"}, block: []string{"/*", "*/"}, triple: true, fills: "$", sigils: "$",
	}
	Ruby = &Language{
		Program: "ruby", line: []string{"#"}, raw: "'", backtick: 'c', fills: "#", regex: true, percent: true, loose: true, sigils: "$@",
		joins: "<<", adjacent: true,
	}
	Perl = &Language{
		Program: "perl", line: []string{"#"}, raw: "'", backtick: 'c', fills: "$@", regex: true, letters: true, loose: true, sigils: "$@%",
		joins: ".",
	}
	PHP = &Language{
		Program: "php", line: []string{"//", "#"}, block: []string{"/*", "*/"}, raw: "'", backtick: 'c', fills: "$", sigils: "$", joins: ".",
		keeps: true, loose: true, folds: true,
	}
	Lua = &Language{
		Program: "lua", line: []string{"--"}, block: []string{"--[[", "]]"}, brackets: true, loose: true, joins: "..",
	}
	Awk = &Language{Program: "awk", line: []string{"#"}, regex: true, adjacent: true, pipes: true, loose: true, keeps: true}
	R   = &Language{Program: "rscript", line: []string{"#"}, prefixes: "rR"}

	Julia = &Language{
		Program: "julia", line: []string{"#"}, block: []string{"#=", "=#"}, triple: true, backtick: 'c', fills: "$", joins: "*",
	}
	AppleScript = &Language{
		Program: "osascript", line: []string{"--", "#"}, block: []string{"(*", "*)"}, loose: true, multiword: true, joins: "&",
	}
	Go = &Language{
		Program: "go", line: []string{"//"}, block: []string{"/*", "*/"}, backtick: 't',
	}
	PowerShell = &Language{
		Program: "powershell", line: []string{"#"}, block: []string{"<#", "#>"}, backtick: 'e', fills: "$", sigils: "$", doubled: true,
		folds: true, power: true, dashes: true,
	}
	Elixir = &Language{
		Program: "elixir", line: []string{"#"}, fills: "#", triple: true, loose: true, joins: "<>", prefixes: "",
	}
	// Any is a language that is not known.
	Any = &Language{Program: "sh", backtick: 'c', loose: true, triple: true, prefixes: "rRbBfFuU", dashes: true}
)
