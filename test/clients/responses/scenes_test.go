package responses

import (
	"net/http"
	"slices"
	"strings"

	"github.com/weir-gate/weir/test/clients"
)

func scenes() []scene {
	// A turn may be empty here, and what is left of one whose calls are dropped says nothing.
	all := slices.DeleteFunc(common.Scenes(), func(s scene) bool { return s.Name == "nothing left when dropped" })
	return slices.Concat(all, reasoningScenes(), chainScenes(), toolScenes(), oddScenes(), readScenes(), brokenScenes())
}

// played is a scene in which the model says some things and the client is left with what may pass of them.
func played(name, door string, things ...thing) scene {
	return scene{Name: name, Door: door, Model: says(turn(things...)), Want: left(things...)}
}

// reasoningScenes are answers with thoughts in them.
func reasoningScenes() []scene {
	return []scene{
		played("reasoning ahead", replace, thought, hello, weather, shell),
		played("reasoning ahead of a denied call", replace, thought, shell, weather),
		played("reasoning ahead of all that is denied", replace, thought, shell),
	}
}

// dropped is a scene in which refused calls vanish.
func dropped(name string, things ...thing) scene {
	s := played(name, drop, things...)
	s.Want = func(k clients.Kind) outcome {
		o := left(things...)(k)
		o.Turn, o.Told = told("completed", passing(things)...), nil
		return o
	}
	return s
}

// passing are the things that are not refused.
func passing(things []thing) []thing {
	var rest []thing
	for _, one := range things {
		if one.code == "" {
			rest = append(rest, one)
		}
	}
	return rest
}

// thingOf is what the model says as a thing of this format.
func thingOf(s clients.Saying) thing {
	if s.Tool == "" {
		return message("01Hello", s.Pieces...)
	}
	pieces := s.Pieces
	if len(pieces) == 0 {
		pieces = []string{"{}"}
	}
	return function(strings.TrimPrefix(s.ID, "call_"), s.Tool, pieces...).deniedBy(s.Code, s.Rule, s.Why)
}

// common are the scenes that all formats have. What the provider remembers of refused calls, the next request corrects.
var common = clients.Common[answer]{
	Says: func(p clients.Play, list ...clients.Saying) clients.Model {
		var things []thing
		for _, s := range list {
			things = append(things, thingOf(s))
		}
		return model{turns: says(turn(things...)).turns, play: p}
	},
	Seen: func(_ clients.Kind, list []clients.Saying) answer {
		a := answer{Status: "completed", Items: []item{}}
		for _, s := range list {
			it := thingOf(s).seen
			if s.Notice {
				it.Notice = anyNotice
			}
			a.Items = append(a.Items, it)
		}
		return a
	},
	Breaking: clients.Breaking,
	Cut:      []recorded{clients.Cut.Recorded()},
	Told:     "was refused (",
	Errors: func(clients.Kind) clients.Errors {
		return clients.Errors{
			Malformed:  "a frame is not strict JSON.",
			Busy:       raised{Status: http.StatusServiceUnavailable, Code: "overloaded"},
			Died:       raised{Status: http.StatusBadGateway, Code: "server_error"},
			Rejected:   raised{Status: http.StatusBadRequest, Code: "bad_tools", Message: "The tools are bad."},
			Redirected: raised{Status: http.StatusBadRequest, Code: "firewall_blocked"},
			NoKey:      raised{Status: http.StatusUnauthorized, Code: "invalid_api_key"},
		}
	},
}
