package gemini

import (
	"net/http"
	"slices"
	"strings"

	"github.com/weir-gate/weir/test/clients"
)

// Short names for what scenes are made of.
type (
	scene   = clients.Scene[answer]
	outcome = clients.Outcome[answer]
	saying  = clients.Saying
	raised  = clients.Raised
)

const (
	marker  = clients.Marker
	replace = clients.Replace
)

const toolsJSON = `[
	{"name":"get_weather","description":"The weather.","parametersJsonSchema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}},
	{"name":"list_files","description":"All files.","parametersJsonSchema":{"type":"object","properties":{}}},
	{"name":"read_file","description":"A file.","parametersJsonSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}},
	{"name":"run_shell","description":"A shell.","parametersJsonSchema":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}}]`

// Short names for what the model says.
var (
	hello   = clients.Hello
	weather = clients.Weather
	hosts   = clients.Hosts
	shell   = clients.Shell
	secret  = clients.Secret
	thought = saying{}.As(part{typ: "thought", pieces: []string{"Let me think."}})
)

// partOf is what the model says as a part.
func partOf(s saying) part {
	switch own, ok := s.Own.(part); {
	case ok:
		return own
	case s.Tool == "":
		return text(s.Pieces...)
	}
	return part{typ: "call", id: s.ID, name: s.Tool, args: s.Said()}
}

// spoken is a candidate of what the model says.
func spoken(list ...saying) said {
	c := said{finish: "STOP"}
	for _, s := range list {
		c.parts = append(c.parts, partOf(s))
	}
	return c
}

// says is a turn of one candidate.
func says(list ...saying) turn { return turn{candidates: []said{spoken(list...)}} }

// signed is a call with a signature.
func signed(s saying, signature string) saying {
	p := partOf(s)
	p.signature = signature
	return s.As(p)
}

// with is a call with text in the same part.
func with(s saying, text string) saying {
	p := partOf(s)
	p.beside = text
	return s.As(p)
}

// in is a call that is streamed in pieces.
func in(s saying, pieces ...string) saying {
	p := partOf(s)
	p.pieces = pieces
	return s.As(p)
}

// anonymous is a call without its id.
func anonymous(s saying) saying {
	s.ID = ""
	return s
}

// seen is a candidate as a client has it. Notices stand after a blank line.
func seen(k clients.Kind, finish string, list ...saying) candidate {
	c := candidate{Finish: ending(finish)}
	for i, s := range list {
		p := partOf(s)
		switch {
		case s.Notice && i > 0:
			c.say(k, "text", "\n\n"+s.Said())
		case p.typ == "text" || p.typ == "thought":
			c.say(k, p.typ, strings.Join(p.pieces, ""))
		case p.typ != "call":
			c.Parts = append(c.Parts, seenPart{Type: p.typ})
		default:
			if p.beside != "" {
				c.say(k, "text", p.beside)
			}
			c.Parts = append(c.Parts, seenPart{Type: "call", ID: p.id, Name: p.name, Input: s.Args(), Signature: p.signature})
		}
	}
	return c
}

// say adds text: to text that is just ahead of it, or anywhere ahead of it if the client joins all.
func (c *candidate) say(k clients.Kind, typ, text string) {
	for i := range c.Parts {
		if c.Parts[i].Type == typ && (i == len(c.Parts)-1 || k.Can(joins)) {
			c.Parts[i].Text += text
			return
		}
	}
	c.Parts = append(c.Parts, seenPart{Type: typ, Text: text})
}

// common are the scenes that all formats have.
var common = clients.Common[answer]{
	Says: func(p clients.Play, list ...saying) clients.Model { return model{says(list...), p} },
	Seen: func(k clients.Kind, list []saying) answer {
		return answer{Candidates: []candidate{seen(k, "STOP", list...)}}
	},
	Breaking: breaking,
	Cut:      []clients.Recorded{breaking.DeniedBy("cut_short", "", "").Recorded()},
	Errors: func(clients.Kind) clients.Errors {
		return clients.Errors{
			Malformed:  "a frame is not strict JSON.",
			Overloaded: raised{Message: "Overloaded"}, Busy: raised{Status: http.StatusServiceUnavailable},
			Died:       raised{Status: http.StatusBadGateway},
			Rejected:   raised{Status: http.StatusBadRequest, Message: "The tools are bad."},
			Redirected: raised{Status: http.StatusBadRequest, Message: "firewall_blocked"},
			NoKey:      raised{Status: http.StatusUnauthorized},
		}
	},
}

// breaking is a call in which a stream breaks off: what has come of it is recorded as what it comes to.
var breaking = in(clients.Calling("call_01Broken", "get_weather", `{"city":"`+marker+`"}`),
	`{"partialArgs":[{"jsonPath":"$.city","stringValue":"`+marker+`","willContinue":true}],"willContinue":true}`, `{}`)

// inOne is a scene in which all parts come in one element.
func inOne(s scene) scene {
	m := s.Model.(model)
	m.turn.atOnce = true
	s.Model = m
	return s
}

func can(skill string) func(clients.Kind) bool {
	return func(k clients.Kind) bool { return k.Can(skill) }
}

func cannot(skill string) func(clients.Kind) bool {
	return func(k clients.Kind) bool { return !k.Can(skill) }
}

func scenes() []scene {
	all := slices.Concat(common.Scenes(), ownScenes(), signedScenes(), shapeScenes(), hostedScenes())
	for i, s := range all {
		if s.Name == "allowed without text or arguments" {
			all[i].For = cannot(wantsAll)
		}
	}
	return all
}

// ownScenes are calls without ids, and calls that come in one element.
func ownScenes() []scene {
	notJSON := common.Played("not JSON", hello, weather)
	notJSON.For, notJSON.Options = can(array), clients.Options{"alt": "proto"}
	notJSON.Want = clients.Always(outcome{Err: &raised{Status: http.StatusBadRequest, Type: "INVALID_ARGUMENT"}, Asked: clients.None})
	return []scene{
		common.Played("allowed without text or ids", anonymous(hosts), anonymous(weather)),
		inOne(common.Played("partly denied in one element", hello, weather, shell, hosts, secret)),
		common.Played("one of two with the same name denied, without ids", anonymous(secret), anonymous(hosts)),
		inOne(common.Dropped("partly denied in one element and dropped", shell, weather, secret)),
		notJSON,
	}
}

// signedScenes are sets of calls of which the first has a signature. Without it the API takes none of the others back.
func signedScenes() []scene {
	first, bad := signed(weather, "c2lnbmF0dXJlIG9uZQ=="), signed(shell, "c2lnbmF0dXJlIG9uZQ==")
	later := signed(clients.Calling("call-porto", "get_weather", `{"city":"Porto"}`), "c2lnbmF0dXJlIHR3bw==")
	gone := func(s saying) saying {
		return s.DeniedBy("tool_denied", "no-shell", "This call depends on another one, which was refused.")
	}
	p := partOf(first)
	p.hidden = `,"parsedArgs":{"city":"` + marker + `"},"json":"[\"` + marker + `\"]"`
	// The next turn is refused without the signature.
	beside := common.Played("signed, with members that nobody documents", hello, first, hosts)
	beside.Model = model{turn: says(hello, weather.As(p), hosts)}
	passed := beside.Want
	beside.Want = func(k clients.Kind) outcome {
		o := passed(k)
		o.Calls[0].Verdict = "audit"
		return o
	}
	return []scene{
		beside,
		common.Played("signed and allowed", thought, hello, first, hosts),
		common.Played("signed, its sibling denied", hello, first, shell, hosts),
		common.Played("signed and denied, the set goes", hello, bad, gone(hosts)),
		inOne(common.Played("signed and denied in one element, the set goes", bad, gone(hosts), gone(weather))),
		common.Played("signed and denied, another set stays", bad, gone(hosts), later),
		common.Dropped("signed and denied, dropped", hello, bad, gone(hosts)),
	}
}
