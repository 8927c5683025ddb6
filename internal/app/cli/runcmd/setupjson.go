package runcmd

import (
	"io"

	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/run/agent/roster"
	"github.com/weir-gate/weir/internal/run/setup"
)

// A clientLine is what weir setup --list says of a client, as JSON.
type clientLine struct {
	Client  string       `json:"client"`
	Title   string       `json:"title"`
	Program string       `json:"program,omitzero"` // "": not on PATH
	Setup   string       `json:"setup"`            // in words
	Routes  []routeLine  `json:"routes"`
	Servers []serverLine `json:"servers"`
	Notes   []string     `json:"notes,omitzero"`
	Trouble string       `json:"trouble,omitzero"` // why its configuration cannot be read
}

type routeLine struct {
	URL     string `json:"url"`
	Setting string `json:"setting"`
	Origin  string `json:"origin"`
	Note    string `json:"note,omitzero"`
}

type serverLine struct {
	Name   string `json:"name"`
	Way    string `json:"way"`
	Origin string `json:"origin"`
	Why    string `json:"why,omitzero"`
}

// printClientsJSON prints the same as printClients, for programs.
func printClientsJSON(out io.Writer, journal *setup.Journal, around agent.Surroundings) error {
	entries, err := journal.List()
	if err != nil {
		return err
	}
	made := map[string]setup.Entry{}
	for _, e := range entries {
		made[e.Name] = e
	}
	var all []clientLine
	for _, a := range roster.All() {
		entry, ok := made[a.Name()]
		l := clientLine{
			Client: a.Name(), Title: a.Title(), Program: programText(a), Setup: setupText(entry, ok), Routes: []routeLine{}, Servers: []serverLine{},
		}
		if l.Program == notOnPath {
			l.Program = ""
		}
		look, err := a.Look(around)
		if err != nil {
			l.Trouble = err.Error()
		}
		for _, r := range look.Routes {
			l.Routes = append(l.Routes, routeLine{hideKey(r.URL), r.Setting, r.Origin, r.Note})
		}
		for _, s := range look.Servers {
			l.Servers = append(l.Servers, serverLine{s.Name, string(s.Way), s.Origin, s.Why})
		}
		l.Notes = look.Notes
		all = append(all, l)
	}
	return jsonout.PrintLines(out, all)
}
