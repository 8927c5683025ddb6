package code

import (
	"regexp"
	"slices"
	"strings"
)

// Languages have many ways to start a command that no table lists: by a name that the code computes, through a library of C, as a
// function that is passed to another. If code has a word for starting commands, and nothing that it starts was found, then the texts
// in it that look like commands are taken for what it starts. Package shell drops those that begin with no known program.

var (
	// starts match the names by which code starts commands, or finds what does.
	starts = regexp.MustCompile(`(?i)^(?:[$@]?\w*[.-])?(?:system\*?|shell\w*|popen\w*|spawn\w*|exec\w*|subprocess|child_process|` +
		`run-(?:shell-command|program)|call-process|callcommand|\w*cmd|command|cdll|dlopen|dlsym|libc|process|proc|launch\w*|run|sh|` +
		`pickle|marshal|send|public_send|const_get|reflect|constructor|__subclasses__|worker|loads|eval|methodcaller|webbrowser)$`)
	// quotedInside match the commands in a text that is code or data of another kind.
	quotedInside = regexp.MustCompile("['\"`]([a-zA-Z./][^'\"`\n]* [^'\"`\n]+)['\"`]")
	// wordLists match the quoted words of Raku.
	wordLists = regexp.MustCompile(`<([a-z][\w./-]* [^<>\n]+)>`)
	// swaps match the replacement of characters in Perl.
	swaps = regexp.MustCompile(`\b(?:y|tr)/([^/\n]{1,64})/([^/\n]{1,64})/`)
)

// maxGuesses bounds the texts that are taken for commands.
const maxGuesses = 16

// talks are the functions whose texts are for people, or patterns.
var talks = words(`print println puts printf log echo warn error info debug say display write format putStrLn Println match test findall
	search sub gsub compile replace split contains includes startsWith startswith endsWith endswith assert fail die raise throw Error
	Exception RuntimeError ValueError describe it pp p inspect cat message`)

// guess notes the texts that may be commands.
func (e *evaluator) guess(source string) {
	if e.cut || e.language.power || e.language == Awk {
		return
	}
	tokens := lex(source, e.language)
	e.guessCloud(source, tokens)
	if e.language == Perl {
		e.guessSwapped(source, tokens)
	}
	starts := e.bare || startsCommands(tokens, e.language) && (e.language != JavaScript || startsFrom.MatchString(source))
	if !e.ran && starts && e.spend(len(source)) {
		e.guessCommands(source, tokens)
	}
	if e.language == AppleScript {
		e.guessFinder(source)
	}
	e.guessWalked(source, tokens)
	e.guessEmptied(tokens)
	changes := func(a Act) bool { return a.Words[0] != "cat" }
	if slices.ContainsFunc(e.acts, changes) || len(e.acts) > 0 && (e.language != Any || !removesVariable(tokens)) {
		return
	}
	switch e.language {
	case Any:
		e.guessFiles(tokens)
	case Perl, R, Lua, Julia:
		e.guessAddresses(tokens)
	}
}

var (
	// walkers match the names by which code finds the files in a folder, and unlinks those by which it removes each of them.
	walkers = words(`find finddepth glob bsd_glob opendir readdir scandir Dir Find Pathname RecursiveDirectoryIterator DirectoryIterator
		FilesystemIterator`)
	unlinks = words("unlink rmdir rmtree rm_rf rm_r remove_tree")
	// handsToRemoval matches the functions of Ruby that remove a file, where they are handed to another.
	handsToRemoval = regexp.MustCompile(`\bmethod\(:delete\)|&:delete\b`)
	// angleGlobs match the patterns of files in Perl.
	angleGlobs = regexp.MustCompile(`<([~/][^<>\n]{0,256})>`)
)

// guessWalked notes the removal of what a folder contains, where code hands each file that it finds to a function that removes it: such
// a function often has no argument.
func (e *evaluator) guessWalked(source string, tokens []token) {
	if e.language != Perl && e.language != PHP && e.language != Ruby {
		return
	}
	walks, removes := false, false
	for _, t := range tokens {
		last := strings.TrimLeft(t.text[strings.LastIndexAny(t.text, ".:>")+1:], "&")
		walks = walks || t.kind == 'n' && walkers[last]
		removes = removes || t.kind == 'n' && unlinks[last]
	}
	removes = removes || e.language == Ruby && handsToRemoval.MatchString(source)
	if !removes {
		return
	}
	left := maxGuesses
	remove := func(path string) {
		if left--; left >= 0 {
			e.note(Act{Words: []string{"rm", "-rf", "--", wild(path)}})
		}
	}
	for _, found := range angleGlobs.FindAllStringSubmatch(source, maxGuesses) {
		if e.language == Perl {
			remove(found[1])
		}
	}
	for i, t := range tokens {
		isPath := t.kind == 's' && t.parts == nil && (strings.HasPrefix(t.text, "/") || strings.HasPrefix(t.text, "~"))
		if walks && isPath && !strings.ContainsAny(t.text, " \n") && !talked(tokens[:i]) && !writing.MatchString(nameBefore(tokens[:i])) {
			remove(t.text)
		}
	}
}

// guessAddresses notes the addresses that code sends something to, and whether that may be the environment.
func (e *evaluator) guessAddresses(tokens []token) {
	environment := false
	for _, t := range tokens {
		environment = environment || t.kind == 'n' && strings.Trim(t.text, "%$@") == "ENV"
	}
	left := maxGuesses
	for i, t := range tokens {
		if t.kind != 's' || t.parts != nil || !isURL(t.text) || left == 0 || !sending.MatchString(nameBefore(tokens[:i])) {
			continue
		}
		left--
		a := Act{Words: []string{"curl", "--data-binary", "@-", t.text}}
		if environment {
			a.From = []string{"env"}
		}
		e.note(a)
	}
}

// mayBeVariable are names for starting commands that many variables have.
var mayBeVariable = words("cmd command process proc run send sh shell exec")

// startsCommands reports code with a name for starting commands.
func startsCommands(tokens []token, l *Language) bool {
	const longest = 64
	for i, t := range tokens {
		if t.kind != 'n' || len(t.text) >= longest || !starts.MatchString(t.text) {
			continue
		}
		var next token
		if i+1 < len(tokens) {
			next = tokens[i+1]
		}
		switch {
		case next.kind == 'p' && (next.text == ":" || next.text == "="): // a key, or a variable
		case mayBeVariable[t.text] && l != Any && next.kind != 's' && next.kind != 'w' && next.text != "(":
		default:
			return true
		}
	}
	return false
}

// startsFrom match the modules and objects by which JavaScript starts commands: exec is mostly a method of patterns there.
var startsFrom = regexp.MustCompile(`child_process|spawn|Deno|Bun|binding|mainModule|worker_threads|import\(`)

func (e *evaluator) guessCommands(source string, tokens []token) {
	left := maxGuesses
	add := func(words ...string) {
		if left--; left >= 0 {
			e.note(Act{Words: words, Shell: len(words) == 1, Guess: true})
		}
	}
	if e.language == Any {
		for _, found := range wordLists.FindAllStringSubmatch(source, maxGuesses) {
			add(found[1])
		}
	}
	for i := 0; i < len(tokens) && left > 0; i++ {
		if t := tokens[i]; t.kind != 's' || t.parts != nil || !e.bare && talked(tokens[:i]) {
			continue
		}
		text := strings.TrimSpace(tokens[i].text)
		found := quotedInside.FindAllStringSubmatch(text, maxGuesses)
		for _, inner := range found {
			add(inner[1])
		}
		switch {
		case strings.Contains(text, " ") && len(found) == 0:
			add(text)
		case text != "" && !strings.ContainsAny(text, " \n"):
			if words := following(tokens[i:]); len(words) > 1 {
				add(words...)
			}
		}
	}
}

// talked reports tokens that end within the call of a function for people.
func talked(before []token) bool {
	const most = 4
	for i := len(before) - 1; i >= 0 && i >= len(before)-most; i-- {
		switch t := before[i]; {
		case t.kind == 'n':
			return talks[t.text]
		case t.kind == 'p' && (t.text == ";" || t.text == "=" || t.text == "}"):
			return false
		}
	}
	return false
}

// following returns the texts that begin a list of tokens, and that only signs of a list separate.
func following(tokens []token) (out []string) {
	const most = 16
	for _, t := range tokens[:min(len(tokens), 2*most)] {
		switch {
		case t.kind == 's' && t.parts == nil:
			out = append(out, t.text)
		case t.kind == 'p' && strings.Contains(",[]()", t.text), t.kind == 'n' && (t.text == "list" || t.text == "args" || t.text == "nil"):
		case t.kind == 'p' && (t.text == ":" || t.text == "{"):
		default:
			return out
		}
	}
	return out
}

// guessSwapped notes the texts of Perl in which y/…/…/ replaces characters.
func (e *evaluator) guessSwapped(source string, tokens []token) {
	const most = 4
	for _, found := range swaps.FindAllStringSubmatch(source, most) {
		left := maxGuesses
		for _, t := range tokens {
			if t.kind != 's' || !strings.Contains(t.text, " ") || left == 0 {
				continue
			}
			left--
			if text := swapped(t.text, spread(found[1]), spread(found[2])); text != t.text {
				e.note(Act{Words: []string{text}, Shell: true, Guess: true})
			}
		}
	}
}

// spread writes out the ranges of characters, such as a-z.
func spread(set string) string {
	var out strings.Builder
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			for c := int(set[i]); c <= int(set[i+2]); c++ {
				out.WriteByte(byte(c))
			}
			i += 2
			continue
		}
		out.WriteByte(set[i])
	}
	return out.String()
}

// swapped replaces the characters of one set by those of another.
func swapped(text, from, to string) string {
	out := []byte(text)
	for i, c := range out {
		if at := strings.IndexByte(from, c); at >= 0 && to != "" {
			out[i] = to[min(at, len(to)-1)]
		}
	}
	return clean(string(out))
}

var (
	removing = regexp.MustCompile(`(?i)delete|remove|unlink|rmtree|rmdir|erase|trash|wipe|^rm`)
	emptying = regexp.MustCompile(`(?i)truncate`)
	writing  = regexp.MustCompile(`(?i)write|spit|save|append|output`)
	reading  = regexp.MustCompile(`(?i)read|slurp|load|lines|contents|open|include`)
	sending  = regexp.MustCompile(`(?i)post|put|patch|request|upload|send`)
	asking   = regexp.MustCompile(`(?i)get|post|put|fetch|request|http|url|download|open|connect|socket|read|slurp`)
)

// guessFiles notes what code in a language that is not known does to the files and addresses that it names, by the word before them.
func (e *evaluator) guessFiles(tokens []token) {
	left := maxGuesses
	walked := removesVariable(tokens)
	for i, t := range tokens {
		if t.kind != 's' || t.parts != nil || left == 0 || strings.ContainsAny(t.text, " \n") || i == 0 {
			continue
		}
		name := nameBefore(tokens[:i])
		isPath := strings.HasPrefix(t.text, "/") || strings.HasPrefix(t.text, "~") || strings.HasPrefix(t.text, ".")
		left--
		switch {
		case isURL(t.text) && asking.MatchString(name):
			e.note(Act{Words: []string{"curl", t.text}})
		case !isPath:
		case removing.MatchString(name), walked && !talked(tokens[:i]) && !writing.MatchString(name):
			e.note(Act{Words: []string{"rm", "-rf", "--", t.text}})
		case emptying.MatchString(name):
			e.note(Act{Words: []string{"truncate", "-s", "0", "--", t.text}})
		case writing.MatchString(name):
			e.note(Act{Words: []string{"tee", "--", t.text}})
		case reading.MatchString(name):
			e.note(Act{Words: []string{"cat", "--", t.text}})
		}
	}
}

// removesVariable reports a word for removing that no text follows: it removes what a variable stands for, such as the files in a folder
// that the code names elsewhere.
func removesVariable(tokens []token) bool {
	const near = 4
	for i, t := range tokens {
		if t.kind != 'n' || !removing.MatchString(t.text) {
			continue
		}
		named := false
		for _, next := range tokens[i+1 : min(i+1+near, len(tokens))] {
			named = named || next.kind == 's'
		}
		if !named && i+1 < len(tokens) {
			return true
		}
	}
	return false
}

// finderDeletes, finderFolder and finderPath match what Finder is told to delete.
var (
	finderDeletes = regexp.MustCompile(`(?i)\b(?:delete|move)\b[^\n]*` +
		`\b(?:item|items|file|files|folder|folders|contents|home|desktop|alias|trash)\b[^\n]*`)
	finderFolder = regexp.MustCompile(`(?i)folder "([^"/]{1,64})" of (?:\(?path to )?home`)
	finderHome   = regexp.MustCompile(`(?i)\bof (?:the )?(?:home\b|\(?path to home folder)|home folder`)
	finderPath   = regexp.MustCompile(`(?i)(?:POSIX file|POSIX path of|file|folder|alias|disk item|item) "((?:[^":]*:Users:|/|~)[^"]*)"`)
	finderNamed  = regexp.MustCompile(`(?i)\b(?:path to )?(desktop|documents|downloads|pictures|movies|music)(?: folder)?\b`)
)

// guessFinder notes what AppleScript has Finder delete.
func (e *evaluator) guessFinder(source string) {
	if !e.spend(len(source)) {
		return
	}
	for _, line := range finderDeletes.FindAllString(source, maxGuesses) {
		if strings.HasPrefix(strings.ToLower(line), "move") && !strings.Contains(strings.ToLower(line), "trash") {
			continue
		}
		found := finderFolder.FindAllStringSubmatch(line, maxGuesses)
		for _, folder := range found {
			e.note(Act{Words: []string{"rm", "-rf", "--", Home + "/" + folder[1]}})
		}
		paths := finderPath.FindAllStringSubmatch(line, maxGuesses)
		for _, file := range paths {
			path := file[1]
			if _, below, ok := strings.Cut(path, ":Users:"); ok {
				path = "/Users/" + strings.Trim(strings.ReplaceAll(below, ":", "/"), "/")
			}
			e.note(Act{Words: []string{"rm", "-rf", "--", path}})
		}
		if len(found)+len(paths) > 0 {
			continue
		}
		if named := finderNamed.FindStringSubmatch(line); named != nil {
			name := strings.ToUpper(named[1][:1]) + strings.ToLower(named[1][1:])
			e.note(Act{Words: []string{"rm", "-rf", "--", Home + "/" + name}})
		} else if finderHome.MatchString(line) {
			e.note(Act{Words: []string{"rm", "-rf", "--", Home}})
		}
	}
}

// nameBefore is the nearest name in front, with the names that are joined to it.
func nameBefore(before []token) (name string) {
	const most = 8
	for i := len(before) - 1; i >= 0 && i >= len(before)-most; i-- {
		switch t := before[i]; {
		case t.kind == 'n':
			if name = t.text + name; t.space {
				return name
			}
		case name != "" && (t.space || t.kind != 'p' || strings.Contains("(;{[", t.text)):
			return name
		}
	}
	return name
}
