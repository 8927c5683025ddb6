package shell

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// cmakeCommands match the commands in a script of CMake, and cmakeRemovals the files that it removes.
	cmakeCommands = regexp.MustCompile(`\bCOMMAND\s+([^()]*)`)
	cmakeRemovals = regexp.MustCompile(`(?i)\bfile\s*\(\s*REMOVE(?:_RECURSE)?\s+([^()]*)`)
	// cmakeKeyword ends a command in a script of CMake.
	cmakeKeyword = regexp.MustCompile(`\s(?:COMMAND|WORKING_DIRECTORY|RESULT_VARIABLE|OUTPUT_VARIABLE|ERROR_VARIABLE|TIMEOUT|OUTPUT_QUIET)\b`)
	// cmakeVariables match how it names variables of the environment.
	cmakeVariables = regexp.MustCompile(`\$ENV\{(\w+)\}`)
	// ninjaCommands match the commands in a file of ninja.
	ninjaCommands = regexp.MustCompile(`(?m)^[ \t]*command[ \t]*=[ \t]*(.*)$`)
)

// buildPrograms are the handlers of tools that build programs, and of others with commands in their settings, by their names.
func buildPrograms() map[string]handler {
	return map[string]handler{
		"cmake":                        cmakeScript,
		"ninja samurai samu":           ninjaFile,
		"just":                         justFile,
		"npm pnpm":                     packageScripts,
		"gcc cc clang g++ c++ clang++": compiler,
		"m4":                           macros,
		"mix":                          mixTask,
		"curl curlie":                  urlTransfer,
		"mail mailx s-nail":            mailer,
	}
}

// cmakeScript reads the scripts that cmake -P runs, and the settings that put a program before the compiler.
func cmakeScript(r *reader, c invocation) value {
	line := c.entry.Anywhere(c.args)
	for _, name := range line.Values("P") {
		for _, text := range r.given(name, c) {
			r.cmakeText(text, c)
		}
	}
	for _, setting := range line.Values("D") {
		key, program, ok := strings.Cut(setting, "=")
		if ok && (strings.Contains(key, "_LAUNCHER") || strings.HasSuffix(key, "_COMPILER") || strings.HasSuffix(key, "_EMULATOR")) {
			r.run(strings.Split(program, ";"), slippedScope(c.scope), pipes{})
		}
	}
	return known(r, c)
}

func (r *reader) cmakeText(text string, c invocation) {
	if !r.search(text) {
		return
	}
	text = cmakeVariables.ReplaceAllString(text, "$${$1}")
	for _, found := range cmakeCommands.FindAllStringSubmatch(text, maxActions) {
		r.text(cmakeKeyword.Split(found[1], 2)[0], newScope(c.scope), pipes{})
	}
	for _, found := range cmakeRemovals.FindAllStringSubmatch(text, maxActions) {
		r.text("rm -rf "+found[1], newScope(c.scope), pipes{})
	}
}

// given returns what the text wrote to a file, or the input if the name stands for it.
func (r *reader) given(name string, c invocation) value {
	if isStdin(name) && c.pipes.in != nil {
		return c.pipes.in
	}
	texts, _ := r.file(name)
	return texts
}

// ninjaFile reads the commands of a build file that the text wrote.
func ninjaFile(r *reader, c invocation) value {
	names := value{"build.ninja"}
	for i := range c.args {
		if name, ok := optionValue("-f", c.args[i:]); ok {
			names = append(names, name)
		}
	}
	for _, name := range names {
		for _, text := range r.given(name, c) {
			if !r.search(text) {
				return unknownValue
			}
			for _, found := range ninjaCommands.FindAllStringSubmatch(text, maxActions) {
				r.text(strings.ReplaceAll(found[1], "$$", "$"), newScope(c.scope), pipes{})
			}
		}
	}
	return unknownValue
}

// justFile reads the recipes of a justfile that the text wrote, and the command that just runs by itself.
func justFile(r *reader, c invocation) value {
	names := value{"justfile", "Justfile", ".justfile"}
	for i := range c.args {
		for _, option := range []string{"-f", "--justfile"} {
			if name, ok := optionValue(option, c.args[i:]); ok {
				names = append(names, name)
			}
		}
		if arg := c.args[i]; arg == "-c" || arg == "--command" {
			r.run(slices.Clone(c.args[i+1:]), newScope(c.scope), c.pipes)
		}
	}
	for _, name := range names {
		for _, text := range r.given(name, c) {
			for line := range strings.Lines(text) {
				if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
					r.text(strings.TrimLeft(strings.TrimSpace(line), "@-"), newScope(c.scope), pipes{})
				}
			}
		}
	}
	return unknownValue
}

// packageScripts reads npm: what it sets as a script of the package, and the shell that runs scripts.
func packageScripts(r *reader, c invocation) value {
	for i, arg := range c.args {
		key, text, ok := strings.Cut(arg, "=")
		switch {
		case strings.HasPrefix(arg, "scripts.") && ok:
			r.text(text, newScope(c.scope), pipes{})
		case i > 0 && c.args[i-1] == "set-script" && i+1 < len(c.args):
			r.text(c.args[i+1], newScope(c.scope), pipes{})
		case strings.TrimLeft(key, "-") == "script-shell" && ok:
			r.text(text, apartScope(c.scope), pipes{})
		case strings.TrimLeft(arg, "-") == "script-shell" && i+1 < len(c.args):
			r.text(c.args[i+1], apartScope(c.scope), pipes{})
		case strings.TrimLeft(key, "-") == "node-options" && ok:
			r.optionHook(text, c.scope)
		case strings.TrimLeft(arg, "-") == "node-options" && i+1 < len(c.args):
			r.optionHook(c.args[i+1], c.scope)
		}
	}
	return known(r, c)
}

// compiler reads gcc, which can start each of its steps through another program.
func compiler(r *reader, c invocation) value {
	for i := range c.args {
		for _, option := range []string{"-wrapper", "--wrapper"} {
			if words, ok := optionValue(option, c.args[i:]); ok {
				r.run(strings.Split(words, ","), slippedScope(c.scope), pipes{})
			}
		}
		if file, ok := strings.CutPrefix(c.args[i], "-fplugin="); ok {
			r.loadedFile(file, c.scope)
		}
		// What is compiled from the input, or from a file that the text writes, is mostly run right away.
		r.codes(r.given(c.args[i], c), c)
	}
	return known(r, c)
}

// macroCommands match the macros of m4 that run a command.
var macroCommands = regexp.MustCompile("\\be?syscmd\\(`?([^')]*)")

// macros reads the input of m4.
func macros(r *reader, c invocation) value {
	texts := c.pipes.in
	for _, arg := range c.args {
		written, _ := r.file(arg)
		texts = append(texts, written...)
	}
	for _, text := range texts {
		if !r.search(text) {
			break
		}
		for _, found := range macroCommands.FindAllStringSubmatch(text, maxActions) {
			r.text(found[1], newScope(c.scope), pipes{})
		}
	}
	return unknownValue
}

// mailEscapes match the lines of a mail that pass the rest of the line to a shell.
var mailEscapes = regexp.MustCompile(`(?m)^~(?:[!|]|[<r]!)\s*(.*)$`)

// mailer reads the text of a mail.
func mailer(r *reader, c invocation) value {
	for _, text := range c.pipes.in {
		if !r.search(text) {
			break
		}
		for _, found := range mailEscapes.FindAllStringSubmatch(text, maxActions) {
			r.text(found[1], newScope(c.scope), pipes{})
		}
	}
	return known(r, c)
}
