package code

import (
	"slices"
	"strings"
)

// goesThrough notes a folder whose files the code goes through.
func (e *evaluator) goesThrough(folder value) {
	if e.collecting() {
		return
	}
	for _, name := range folder.texts {
		if name != Unknown && name != Run {
			e.walked = more(e.walked, []string{name}, maxNames)
		}
	}
}

// deleters are the methods by which an object that stands for a file is removed.
var deleters = words("delete deleteIfExists deleteOnExit deleteRecursively deleteDirectory Delete Remove RemoveAll")

// guessEmptied notes the removal of what is in the folders that the code goes through, where it removes something of which nothing is
// known: most often that is what it found there.
func (e *evaluator) guessEmptied(tokens []token) {
	if len(e.walked) == 0 {
		return
	}
	removes := e.language == Java && !slices.ContainsFunc(e.acts, removesFile) && slices.ContainsFunc(tokens, func(t token) bool {
		return t.kind == 'n' && deleters[t.text]
	})
	for _, folder := range e.walked {
		folder = strings.TrimSuffix(folder, "/")
		found := removes || slices.ContainsFunc(e.acts, func(a Act) bool {
			target := a.Words[len(a.Words)-1]
			return removesFile(a) && (target == Unknown || target == folder+"/"+Unknown)
		})
		if found {
			e.note(Act{Words: []string{"rm", "-rf", "--", folder + "/" + Tree}})
		}
	}
}

// removesFile reports an act that removes a file.
func removesFile(a Act) bool { return len(a.Words) > 2 && a.Words[0] == "rm" && !a.Shell }
