package shell

import (
	"regexp"
	"strings"

	"github.com/weir-gate/weir/internal/text/code"
)

// These programs load code from a file that one of their words names, or start a command where others name a file.

// loadPrograms are their handlers, by their names.
func loadPrograms() map[string]handler {
	return map[string]handler{
		"nginx openresty httpd apache2 apachectl apache2ctl": serverModules,
		"openssl":        cipherEngine,
		"strace ltrace":  traceOutput,
		"mvn mvnw mvnd":  buildProperties,
		"terraform tofu": infrastructure,
		"rpm rpmbuild":   packageMacros,
	}
}

// moduleSettings match the settings of web servers that load a module.
var moduleSettings = regexp.MustCompile(`(?i)\b(?:load_module|LoadModule\s+\S+|LoadFile)\s+["']?([^\s;"']+)`)

// serverModules reads the modules that settings in the words of a web server load.
func serverModules(r *reader, c invocation) value {
	for _, arg := range c.args {
		if !r.search(arg) {
			break
		}
		for _, found := range moduleSettings.FindAllStringSubmatch(arg, maxActions) {
			r.loadedFile(found[1], c.scope)
		}
	}
	return known(r, c)
}

// cipherEngine reads the file with an engine that openssl engine names. The option for it is in the entry.
func cipherEngine(r *reader, c invocation) value {
	for i, arg := range c.args {
		if i > 0 && c.args[0] == "engine" && !strings.HasPrefix(arg, "-") {
			r.loadedFile(strings.TrimPrefix(arg, "SO_PATH:"), c.scope)
		}
	}
	return known(r, c)
}

// traceOutput reads the output of strace: after | or ! it is a command.
func traceOutput(r *reader, c invocation) value {
	for _, output := range c.line().Values("o", "output") {
		if strings.HasPrefix(output, "|") || strings.HasPrefix(output, "!") {
			r.text(output[1:], apartScope(c.scope), pipes{})
		}
	}
	return known(r, c)
}

// buildProperties reads the properties by which Maven starts a program.
func buildProperties(r *reader, c invocation) value {
	properties := map[string]string{}
	for i := range c.args {
		setting, ok := optionValue("-D", c.args[i:])
		if !ok {
			setting, ok = optionValue("--define", c.args[i:])
		}
		if key, v, found := strings.Cut(setting, "="); ok && found {
			properties[key] = v
		}
	}
	if program := properties["exec.executable"]; program != "" {
		args := properties["exec.args"] + " " + properties["exec.commandlineArgs"]
		r.text(quotedWords([]string{program})+" "+args, newScope(c.scope), pipes{})
	}
	for _, key := range []string{"jvm", "argLine", "maven.ext.class.path", "java.home"} {
		for file := range strings.FieldsSeq(properties[key]) {
			r.loadedFile(strings.TrimPrefix(file, "-javaagent:"), c.scope)
		}
	}
	return known(r, c)
}

// expressionFiles match the functions of Terraform that read a file.
var expressionFiles = regexp.MustCompile(`\b(?:file|filebase64|templatefile|fileset)\(\s*"([^"]+)"`)

// infrastructure reads the expressions that terraform console evaluates, and the folder with the plugins that it runs.
func infrastructure(r *reader, c invocation) value {
	for i := range c.args {
		arg := strings.Replace(c.args[i], "--", "-", 1)
		if folder, ok := strings.CutPrefix(arg, "-plugin-dir="); ok {
			r.loadedFile(strings.TrimRight(folder, "/")+"/plugin", c.scope)
		}
		if arg != "console" {
			continue
		}
		for _, text := range c.pipes.in {
			if !r.search(text) {
				break
			}
			for _, found := range expressionFiles.FindAllStringSubmatch(text, maxActions) {
				r.run([]string{"cat", "--", found[1]}, newScope(c.scope), pipes{})
			}
		}
	}
	return known(r, c)
}

// macroShells match the macros of rpm that run a command.
var macroShells = regexp.MustCompile(`%\(([^()]*)\)`)

// packageMacros reads the macros that rpm expands.
func packageMacros(r *reader, c invocation) value {
	for _, arg := range c.args {
		if !r.search(arg) {
			break
		}
		for _, found := range macroShells.FindAllStringSubmatch(arg, maxActions) {
			r.text(found[1], newScope(c.scope), pipes{})
		}
	}
	return known(r, c)
}

// loadOptions reads the options of an interpreter that load a file before the code.
func (r *reader) loadOptions(c invocation) {
	for i, arg := range c.args {
		name, file, attached := strings.Cut(arg, "=")
		switch {
		case name == "--require" || name == "--import" || name == "--loader" || name == "--experimental-loader" || name == "-r":
			if !attached && i+1 < len(c.args) {
				file = c.args[i+1]
			}
		case strings.HasPrefix(arg, "-javaagent:"), strings.HasPrefix(arg, "-agentpath:"):
			_, file, _ = strings.Cut(arg, ":")
			file, _, _ = strings.Cut(file, "=")
		case strings.HasPrefix(arg, "-r/"), strings.HasPrefix(arg, "-r."):
			file = arg[2:]
		default:
			continue
		}
		if source, ok := code.DataURL(file); ok {
			r.codes(value{source}, c)
		}
		if strings.HasPrefix(file, "/") && !strings.ContainsAny(file, " ;(") {
			r.loadedFile(file, c.scope)
		}
	}
}
