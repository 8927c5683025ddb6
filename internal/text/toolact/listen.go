package toolact

import (
	"slices"
	"strings"
)

// These are the parameters that say where a tool listens or whom it calls, and which program it gives to them.
var (
	endParams = words(`listen listenaddress listenaddr listenhost bind bindaddress bindaddr bindhost lhost remote remotehost remoteaddress
		callback callbackhost connectback connectto reversehost rhost expose exposeto listenon attacker c2`)
	givenParams = words("shell program executable interpreter exec command cmd spawn process")
	shellNames  = words("sh bash zsh dash ash ksh fish csh tcsh cmd powershell pwsh busybox")
)

// GivesShell says that a tool is told both: where another machine is or comes from, and a shell for it. That lets others in.
func (n Name) GivesShell(args []Argument) Act {
	ends, shell := false, false
	for _, a := range args {
		if len(a.Names) == 0 || a.Text == "" || len(a.Text) > maxSaid {
			continue
		}
		name := joined(a.Names[len(a.Names)-1])
		ends = ends || endParams[name] && !isHere(a.Text)
		fields := strings.Fields(a.Text)
		shell = shell || givenParams[name] && len(fields) > 0 && isShell(fields[0])
	}
	if ends && shell {
		return Grant
	}
	return 0
}

func isShell(path string) bool {
	path = strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:])
	return shellNames[strings.TrimSuffix(path, ".exe")]
}

// isHere reports an address that only this machine reaches, or none at all.
func isHere(text string) bool {
	text = strings.ToLower(text)
	begins := func(begin string) bool { return strings.HasPrefix(text, begin) }
	here := slices.ContainsFunc([]string{"127.", "localhost", "[::1]", "::1", "/", "unix:", "tcp://127.", "tcp://localhost"}, begins)
	return here || text == "true" || text == "false"
}
