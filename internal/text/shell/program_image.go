package shell

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// imagePrograms are the programs that images start, by the last part of their names, where that is another name.
var imagePrograms = map[string]string{"aws-cli": "aws", "netcat": "nc", "alpine-curl": "curl", "mysql-client": "mysql", "httpie": "http"}

// imageProgram is the program that an image starts with the words behind it, if it is named after one, as alpine/socat is.
func imageProgram(image string) (string, bool) {
	if hasHole(image) || !strings.Contains(image, "/") {
		return "", false // images without a folder are systems and languages
	}
	image, _, _ = strings.Cut(image, "@")
	name := image[strings.LastIndexByte(image, '/')+1:]
	name, _, _ = strings.Cut(name, ":")
	if other, ok := imagePrograms[name]; ok {
		return other, true
	}
	entry, _ := program.Lookup(name)
	return name, entry != program.Unknown && entry.Runs == nil
}

// imageRun reads the words behind an image that is named after a program: they are its arguments, unless they name a program.
func (r *reader) imageRun(image string, args []string, s *scope, p pipes) {
	name, ok := imageProgram(image)
	if !ok || len(args) == 0 || isKnown(args[0]) || strings.HasPrefix(args[0], "/") {
		return
	}
	r.run(slices.Concat([]string{name}, args), newScope(s), p)
}

// podRun reads kubectl run, which has the image in an option and the words of its program after two dashes.
func (r *reader) podRun(c invocation) {
	i := slices.Index(c.args, "--")
	if i < 0 || !slices.Contains(c.args[:i], "run") {
		return
	}
	for at := range c.args[:i] {
		if image, ok := optionValue("--image", c.args[at:]); ok {
			r.imageRun(image, c.args[i+1:], placeScope(program.Clustered, c.scope), c.pipes)
		}
	}
}
