package shell

import "strings"

// variables returns what the text sets, as NAME=value, of the variables by which a program knows a database or a host.
func (f *familiar) variables(s *scope) (out []string) {
	for _, name := range f.names {
		v, set := s.get(name)
		if !set {
			continue
		}
		for _, text := range v.text {
			out = append(out, name+"="+text)
		}
	}
	return out
}

// scriptsIn returns the files in the words of a command that the text wrote. A file may be attached to an option.
func (r *reader) scriptsIn(words []string) []Script {
	if len(r.files) == 0 {
		return nil
	}
	var out []Script
	for _, word := range words {
		names := []string{word, strings.TrimLeft(word, "@<")}
		if _, name, ok := strings.Cut(word, "="); ok {
			names = append(names, name)
		}
		if len(word) > 2 && word[0] == '-' {
			names = append(names, word[2:])
		}
		for _, name := range names {
			if texts, ok := r.file(name); ok && name != "/dev/null" {
				out = append(out, Script{name, newWords(texts)})
				break
			}
		}
	}
	return out
}
