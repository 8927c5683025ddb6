package main

import (
	"slices"
	"strings"
)

// A verdict is what the policy says of the call of a turn.
type verdict struct {
	name     string
	tool     string
	code     string // of the refusal
	rule     string
	reason   string
	released bool
}

var verdicts = []verdict{
	{name: "refused by name", tool: toolRefused, code: "tool_denied", rule: "no-canary", reason: "The canary is not to sing."},
	{name: "refused by arguments", tool: toolJudged, code: "args_denied", rule: "no-secret", reason: usedSo},
	{name: "allowed", tool: toolAllowed, released: true},
}

// usedSo is the reason of a rule with conditions, with what weir adds.
const usedSo = `The secret is not to be told. The tool itself is allowed; this use of it is not: "` + refusedPart + `".`

// notice is what must stand in the place of a call.
func (v *verdict) notice() string {
	return `[weir] The call to "` + v.tool + `" was refused (` + v.code + `, rule ` + v.rule + `): ` + v.reason +
		` Do not retry it; continue without it or ask the user.`
}

// policy is what the verdicts follow from.
const policy = `version: 1
default: allow
rules:
  - id: no-canary
    tool: ` + toolRefused + `
    verdict: deny
    reason: The canary is not to sing.
  - id: no-secret
    tool: ` + toolJudged + `
    conditions:
      all:
        - {param_path: path, operator: contains, value: ` + refusedPart + `}
    verdict: deny
    reason: The secret is not to be told.
`

// A labelling is what an upstream calls its answer.
type labelling struct {
	name string
	of   map[mode]string // content types; "": none is sent
}

// eventStreamType is what binary answers are called.
const eventStreamType = "application/vnd.amazon.eventstream"

var labellings = []labelling{
	{name: "right type", of: map[mode]string{
		events: "text/event-stream; charset=utf-8", array: "application/json; charset=UTF-8", lines: "application/x-ndjson",
		packets: eventStreamType, whole: "application/json",
	}},
	{name: "no type", of: map[mode]string{}},
	{name: "wrong type", of: map[mode]string{
		events: "application/json", array: "text/event-stream", lines: "text/event-stream",
		packets: "application/json", whole: "text/event-stream",
	}},
	{name: "type text", of: allModes("text/plain; charset=utf-8")},
	{name: "type binary", of: allModes("application/octet-stream")},
}

func allModes(value string) map[mode]string {
	return map[mode]string{events: value, array: value, lines: value, packets: value, whole: value}
}

// An asking is what a request says that it wants.
type asking struct {
	name  string
	other bool // than what comes
}

var askings = []asking{{name: "as asked"}, {name: "not as asked", other: true}}

// askingsOf are those that a row can have. That lines come, or chunks, shows only in what was asked for.
func askingsOf(r row) []asking {
	if r.endpoint.modes != nil || slices.Contains(r.format.modes, lines) || slices.Contains(r.format.modes, packets) {
		return askings[:1]
	}
	return askings
}

// declared is the name of an upstream that is not built in.
const declared = "declared"

// A route is an endpoint by way of one upstream.
type route struct {
	upstream string
	path     string
}

// routes are the ways to an endpoint: by the upstream that is built in, and by one that is declared. The latter is only
// there once for a path.
func (f *format) routes(e *endpoint) []route {
	var list []route
	if e.builtIn != "" {
		below := e.below
		if below == "" {
			below = e.path
		}
		list = append(list, route{e.builtIn, below})
	}
	for i := range f.endpoints {
		if other := &f.endpoints[i]; other == e {
			return append(list, route{declared, e.path})
		} else if other.name() == e.name() {
			return list
		}
	}
	return list
}

// A row is a line of the table: one endpoint in one mode.
type row struct {
	format   *format
	endpoint *endpoint
	mode     mode
}

func (r row) String() string {
	return strings.Join([]string{r.format.name, r.endpoint.name(), string(r.mode)}, " | ")
}

// rows are all lines of the table.
func rows() []row {
	var list []row
	for _, f := range formats {
		for i := range f.endpoints {
			e := &f.endpoints[i]
			modes := e.modes
			if modes == nil {
				modes = f.modes
			}
			for _, m := range modes {
				list = append(list, row{f, e, m})
			}
		}
	}
	return list
}

// A cell is one exchange: a row, and a value of every other axis.
type cell struct {
	row
	number   int
	route    route
	asking   asking
	framing  *framing
	label    *labelling
	encoding *encoding
	chunking *chunking
	verdict  *verdict
}

func (c *cell) String() string {
	return strings.Join([]string{
		c.row.String(), "by " + c.route.upstream, c.asking.name, c.framing.name, c.label.name, c.encoding.name, c.chunking.name, c.verdict.name,
	}, " | ")
}

func (c *cell) turn() turn { return newTurn(c.number, *c.verdict) }

// frames are the frames of the answer.
func (c *cell) frames() []string {
	return c.framing.frames(c.format.pieces(c.endpoint, c.mode, c.turn()))
}

// ordinary is the answer in the ordinary framing, which every client can read.
func (c *cell) ordinary() string {
	return strings.Join(framingsOf(c.format, c.mode)[0].frames(c.format.pieces(c.endpoint, c.mode, c.turn())), "")
}

// asked is the mode that the request asks for.
func (c *cell) asked() mode {
	switch {
	case !c.asking.other:
		return c.mode
	case c.mode == whole:
		return c.format.modes[0]
	}
	return whole
}

// target is what is asked of weir.
func (c *cell) target() string {
	path := strings.NewReplacer(
		"{verb}", c.endpoint.verbs[c.asked()],
		"{response}", "resp_"+c.turn().id, "{conversation}", "conv_"+c.turn().id, "{item}", "fc_"+c.turn().id,
	).Replace(c.route.path)
	if q := c.endpoint.query[c.asked()]; q != "" {
		path += "?" + q
	}
	return "/" + c.route.upstream + path
}
