package warn_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/warn"
	"github.com/weir-gate/weir/internal/text/when"
)

// allowing and denying are policies with rules, one a line, without what all rules here have in common.
func allowing(rules ...string) string { return "version: 1\ndefault: allow\n" + listed(rules) }
func denying(rules ...string) string  { return "version: 1\ndefault: deny\n" + listed(rules) }

func listed(rules []string) string {
	var b strings.Builder
	b.WriteString("rules:\n")
	for i, r := range rules {
		id := ""
		if !strings.Contains(r, "id:") {
			id = "id: r" + string(rune('0'+i)) + ", "
		}
		b.WriteString("  - {" + id + r + "}\n")
	}
	return b.String()
}

const (
	deny  = "verdict: deny, "
	allow = "verdict: allow, "
)

// table has policies that are warned of, by the warning, and policies that are not, though they are similar.
var table = map[string]struct{ warned, fine []string }{
	policy.WarnRule: {
		warned: []string{
			allowing("tool: Bash, verdict: allow"),
			allowing("tool: Bash, verdict: allow, shadow: true"),
			allowing("tool: Bash, verdict: audit", `tool: "B*", verdict: deny`),
			denying("tool: Bash, verdict: allow", `tool: "*", verdict: deny`),
			denying("tool: [Bash, Read], verdict: allow", "tool: [bash, read, Write], verdict: deny"),
			denying("tool: Bash, verdict: allow, who: {team: a}", "tool: Bash, verdict: deny, who: {team: [a, b]}"),
			denying("server: fs, tool: read, verdict: allow", `server: "f*", tool: "*", verdict: deny`),
			denying(allow+"tool: Bash, conditions: {operator: runs, value: git}", deny+"tool: Bash, conditions: {operator: runs, value: [git, ls]}"),
			denying(allow+"tool: Bash, conditions: {all: [{operator: runs, value: git}, {operator: reads, value: a}]}",
				deny+"tool: Bash, conditions: {any: [{operator: runs, value: git}, {operator: runs, value: ls}]}"),
			denying(allow+"tool: Read, conditions: {param_path: file_path, operator: not_in, value: [a, b]}, silence: [{warning: negated-allow, reason: x}]",
				deny+"tool: Read, conditions: {param_path: file_path, operator: not_in, value: [a]}"),
			allowing("tool: Bash, verdict: deny", deny+"tool: Bash, conditions: {operator: runs, value: ls}"),
			allowing(deny+"tool: Bash, conditions: {operator: runs, value: ls}", "tool: Bash, verdict: deny"),
			// What a rule that denies has in its globs.
			denying(allow+"tool: Bash, conditions: {operator: runs, value: git status}", deny+"tool: Bash, conditions: {operator: runs, value: git *}"),
			denying(allow+`tool: Bash, conditions: {operator: runs, value: [git status, "git log*"]}`, deny+`tool: "*", conditions: {operator: runs, value: [git, ls]}`),
			denying(allow+"tool: Bash, conditions: {operator: runs, value: rm -rf build}", deny+`tool: Bash, conditions: {operator: runs, value: "rm -rf *"}`),
			denying(allow+"tool: Write, conditions: {operator: writes, value: /tmp/**}", deny+`tool: "*", conditions: {operator: writes, value: /**}`),
			denying(allow+"tool: Write, conditions: {operator: writes, value: [$project/src/**, $project/go.mod]}", deny+`tool: "*", conditions: {operator: writes, value: $project/**}`),
			denying(allow+"tool: Read, conditions: {param_path: file_path, operator: path_in, value: /srv/web/server.pem}", deny+"tool: Read, conditions: {param_path: file_path, operator: path_in, value: '*.pem'}, silence: [{warning: other-way, reason: x}]"),
			denying(allow+"tool: WebFetch, conditions: {param_path: url, operator: host_in, value: API.example.com}", deny+`tool: WebFetch, conditions: {param_path: url, operator: host_in, value: "*.example.com"}`),
			denying(allow+`tool: Bash, conditions: {operator: connects, value: ["*.a.example.com", "db.example.com:5432"]}`, deny+`tool: Bash, conditions: {operator: connects, value: "*.example.com"}`),
			denying("tool: Bash, verdict: allow", "tool: Bash, verdict: audit"),
			denying("tool: [Bash, Read], verdict: allow", "tool: Bash, verdict: allow"),
			allowing("tool: Bash, verdict: deny, not_tool: [Bash, Read]"),
			allowing("tool: Bash, verdict: deny, unless: [{tool: Bash}]"),
			"version: 1\ndefault: deny\nmcp: {denied_servers: [{id: \"f*\"}]}\nrules: [{id: r, server: fs, tool: read, verdict: allow}]\n",
		},
		fine: []string{
			allowing("tool: Bash, verdict: allow, rate_limit: {calls_per_minute: 5}"),
			"version: 1\ndefault: audit\nrules: [{id: r, tool: Bash, verdict: allow}]\n",
			allowing("surface: egress, verdict: allow"),
			allowing("tool: web_search, surface: [inbound, response], verdict: allow"),
			denying("tool: Bash, verdict: allow", `tool: "B*", verdict: deny, shadow: true`),
			denying("tool: Bash, verdict: allow", `tool: "*", verdict: deny, who: {team: a}`),
			denying("tool: Bash, verdict: allow", `tool: "*", verdict: deny, not_tool: Bash`),
			denying("tool: Bash, verdict: allow", `tool: "*", verdict: deny, server: fs`),
			denying("tool: Bash, verdict: allow", `tool: "*", verdict: deny, hints: destructive`),
			denying("tool: Bash, verdict: allow", `tool: "*", verdict: deny, surface: response`),
			denying("tool: Bash, verdict: allow", `tool: "*", verdict: deny, disabled: true`),
			denying("tool: Bash, verdict: allow", `tool: "*", verdict: deny, unless: [{who: {team: a}}]`),
			denying(`tool: "B*", verdict: allow`, "tool: Bash, verdict: deny"),
			denying("server: fs, tool: read_it, verdict: allow", `tool: "read_*", verdict: deny`),
			denying(allow+"tool: Bash, conditions: {operator: runs, value: [git, ls]}", deny+"tool: Bash, conditions: {operator: runs, value: git}"),
			denying(allow+"tool: Bash, conditions: {operator: runs, value: git}", deny+"tool: Bash, conditions: {operator: reads, value: git}"),
			denying(allow+"tool: Bash, conditions: {operator: runs, value: [git status, ls]}", deny+"tool: Bash, conditions: {operator: runs, value: git *}"),
			denying(allow+"tool: Bash, conditions: {operator: runs, value: git}", deny+"tool: Bash, conditions: {operator: runs, value: git *}"),
			denying(allow+"tool: Bash, conditions: {operator: runs, value: git status}", deny+"tool: Bash, conditions: {operator: runs, value: git *}, unless: [{who: {team: a}}]"),
			denying(allow+"tool: Bash, conditions: {operator: runs, value: git status}", deny+"tool: Bash, conditions: {operator: runs, value: git *}, who: {team: a}"),
			denying(allow+"tool: Bash, conditions: {operator: runs, value: git status}", deny+"tool: Bash, conditions: {operator: surely_runs, value: git *}"),
			denying(allow+"tool: Bash, conditions: {operator: runs, value: git status}", deny+"tool: Bash, conditions: {operator: not_runs, value: git *}"),
			denying(allow+"tool: Write, conditions: {operator: writes, value: /tmp/**}", deny+`tool: "*", conditions: {operator: writes, value: [/etc/**, /tmp]}, silence: [{warning: folder-only, reason: x}]`),
			denying(allow+"tool: Write, conditions: {operator: writes, value: $project/**}", deny+`tool: "*", conditions: {operator: writes, value: /**}`),
			denying(allow+"tool: Write, conditions: {operator: writes, value: /private/tmp/**}", deny+`tool: "*", conditions: {operator: writes, value: /private/**}`),
			denying(allow+"tool: WebFetch, conditions: {param_path: url, operator: host_in, value: example.com}", deny+`tool: WebFetch, conditions: {param_path: url, operator: host_in, value: "*.example.com"}`),
			denying(allow+"tool: WebFetch, conditions: {param_path: url, operator: host_in, value: 10.0.0.1}", deny+`tool: WebFetch, conditions: {param_path: url, operator: host_in, value: "10.*.1"}`),
			denying(allow+"tool: Bash, conditions: {operator: connects, value: api.example.com}", deny+`tool: Bash, conditions: {operator: connects, value: "*.example.com:22"}`),
			// The first of two rules that deny gives the reason.
			allowing(deny+"tool: Bash, reason: Not this one.", `tool: "*", verdict: deny`),
			allowing(deny+"tool: Bash, conditions: {operator: runs, value: git}", deny+"tool: Bash, conditions: {operator: runs, value: [git, ls]}"),
			allowing(`tool: "*", verdict: deny, not_tool: Bash`),
			allowing("tool: Bash, verdict: deny, unless: [{until: 2126-01-01}]"),
			allowing("tool: [Bash, Read], verdict: deny, unless: [{tool: Bash}]"),
		},
	},
	policy.WarnException: {
		warned: []string{
			allowing("tool: Bash, verdict: deny, unless: [{who: {team: a}, until: 2020-01-01}]"),
			allowing("tool: Bash, verdict: deny, unless: [{tool: Read}]"),
		},
		fine: []string{
			allowing("tool: Bash, verdict: deny, unless: [{who: {team: a}, until: 2126-01-01}]"),
			allowing(`tool: "*", verdict: deny, unless: [{tool: Read}]`),
			allowing(`tool: [Bash, Read], verdict: deny, unless: [{tool: read}]`),
			allowing(`server: fs, tool: read, verdict: deny, unless: [{tool: mcp__fs__read, who: {team: a}}]`),
		},
	},
	policy.WarnDefault: {
		warned: []string{
			denying(`tool: "*", verdict: audit`),
			denying(`tool: "*", verdict: cap_cost, cap_cost: {limit: 5, per: key, window: 1h}`),
			denying(`tool: "%", verdict: sanitize, sanitize: {presets: [jwt]}`),
			denying(`tool: "*", server: "*", verdict: allow, who: {team: "*"}`),
		},
		fine: []string{
			denying(`tool: "*", verdict: deny`),
			denying(`tool: "*", verdict: pending_approval`),
			denying(`tool: "*", verdict: audit, shadow: true`),
			denying(`tool: "mcp__*", verdict: audit`),
			denying(`tool: "*", verdict: audit, who: {team: a}`),
			denying(`tool: "*", verdict: allow, conditions: {operator: acts, value: read}`),
			denying(`surface: egress, verdict: audit`),
			denying(`tool: "*", surface: mcp, verdict: audit`),
			allowing(`tool: "*", verdict: audit`),
		},
	},
	policy.WarnList: {
		warned: []string{
			"version: 1\ndefault: allow\nmcp: {tool_policy: allowlist, allowed_tools: [{server: fs, tool: read}], denied_tools: [{tool: \"*\"}]}\n",
			"version: 1\ndefault: allow\nmcp: {server_policy: allowlist, allowed_servers: [{id: fs}], denied_servers: [{id: \"*\"}]}\n",
			"version: 1\ndefault: allow\nmcp: {tool_policy: allowlist, allowed_tools: [{tool: read_x}], denied_tools: [{tool: \"read_*\"}]}\n",
		},
		fine: []string{
			"version: 1\ndefault: allow\nmcp: {tool_policy: allowlist, allowed_tools: [{server: fs, tool: \"*\"}], denied_tools: [{tool: \"write_*\"}]}\n",
			"version: 1\ndefault: allow\nmcp: {tool_policy: allowlist, allowed_tools: [{tool: read}], denied_tools: [{server: fs, tool: read}]}\n",
			"version: 1\ndefault: allow\nmcp: {allowed_tools: [{tool: \"*\"}], denied_tools: [{tool: \"*\"}]}\n",
			"version: 1\ndefault: allow\nmcp: {server_policy: allowlist, allowed_servers: [{id: fs}], denied_servers: [{id: db}]}\n",
		},
	},
	policy.WarnUnusedList: {
		warned: []string{
			"version: 1\ndefault: allow\nlists: {mine: [a]}\n",
			"version: 1\ndefault: allow\nlists: {credentials: [$credentials, a]}\n",
		},
		fine: []string{
			"version: 1\ndefault: allow\nlists: {mine: [Bash]}\nrules: [{id: r, tool: $mine, verdict: deny}]\n",
			"version: 1\ndefault: allow\nlists: {mine: [Bash], all: [$mine, Read]}\nrules: [{id: r, tool: $all, verdict: deny}]\n",
			"version: 1\ndefault: allow\nlists: {mine: [git]}\nrules: [{id: r, tool: Bash, verdict: deny, unless: [{conditions: {operator: runs, value: $mine}}]}]\n",
			"version: 1\nextends: open\nlists: {weir: [$weir, /srv/weir/**]}\n",
		},
	},
	policy.WarnServer: {
		warned: []string{
			"version: 1\ndefault: allow\nmcp: {servers: [{id: fs, type: stdio, command: x}], denied_servers: [{id: \"f*\"}]}\n",
			"version: 1\ndefault: allow\nmcp: {servers: [{id: fs, type: stdio, command: x}], server_policy: allowlist, allowed_servers: [{id: db}]}\n",
		},
		fine: []string{
			"version: 1\ndefault: allow\nmcp: {servers: [{id: fs, type: stdio, command: x}], server_policy: allowlist, allowed_servers: [{id: \"*\"}]}\n",
			"version: 1\ndefault: allow\nmcp: {servers: [{id: fs, type: stdio, command: x}], denied_servers: [{id: db}]}\n",
		},
	},
	policy.WarnNegated: {
		warned: []string{
			denying(allow + "tool: Bash, conditions: {operator: not_runs, value: rm}"),
			denying(allow + "tool: Write, conditions: {param_path: file_path, operator: not_within, value: /etc}"),
			denying(allow + "tool: Write, conditions: {any: [{param_path: file_path, operator: not_path_in, value: a}, {operator: writes, value: b}]}"),
			denying("verdict: audit, tool: Bash, conditions: {operator: not_runs, value: rm}"),
			denying(allow + "tool: Bash, conditions: {all: [{operator: not_runs, value: rm}], time: {days: mon-fri}}"),
		},
		fine: []string{
			denying(allow + "tool: Bash, conditions: {none: [{operator: runs, value: rm}]}"),
			denying(allow + "tool: Bash, conditions: {all: [{operator: runs, value: git}, {operator: not_runs, value: git push*}]}"),
			denying(allow + "tool: Bash, conditions: {param_path: dangerouslyDisableSandbox, operator: not_equals, value: true}"),
			denying(allow + "tool: Bash, conditions: {param_path: workdir, operator: not_exists}"),
			denying(deny + "tool: Bash, conditions: {operator: not_runs, value: ls}"),
			allowing("verdict: audit, tool: Bash, conditions: {operator: not_runs, value: rm}"),
		},
	},
	policy.WarnNoHost: {
		warned: []string{
			denying(allow + "tool: WebFetch, conditions: {param_path: url, operator: not_host_in, value: evil.example}"),
			allowing(deny + `tool: "*", conditions: {param_path: url, operator: not_host_in, value: good.example}`),
			allowing(deny + "tool: Bash, conditions: {param_path: command, operator: not_host_in, value: good.example}"),
			allowing(deny + "tool: Bash, conditions: {param_path: $, operator: not_cidr_in, value: 10.0.0.0/8}"),
		},
		fine: []string{
			denying(allow + "tool: WebFetch, conditions: {param_path: url, operator: host_in, value: good.example}"),
			allowing(deny + "tool: WebFetch, conditions: {param_path: url, operator: not_host_in, value: good.example}"),
			allowing(deny + `tool: Bash, conditions: {all: [{param_path: command, operator: host_in, value: "*"}, {param_path: command, operator: not_host_in, value: good.example}]}`),
			allowing("surface: egress, verdict: deny, conditions: {param_path: host, operator: not_host_in, value: good.example}"),
			allowing(deny + "server: web, tool: get, conditions: {param_path: url, operator: not_host_in, value: good.example}"),
		},
	},
	policy.WarnNoParameter: {
		warned: []string{
			allowing(deny + `tool: "*", conditions: {param_path: file_path, operator: not_within, value: $project}`),
			allowing(deny + `tool: "*", conditions: {operator: not_runs, value: ls}`),
			allowing(deny + `tool: [Bash, Write], conditions: {param_path: command, operator: not_starts_with, value: git}`),
		},
		fine: []string{
			allowing(deny + `tool: [Write, Edit], conditions: {param_path: file_path, operator: not_within, value: $project}`),
			allowing(deny + `tool: "*", conditions: {all: [{param_path: file_path, operator: exists}, {param_path: file_path, operator: not_within, value: $project}]}`),
			allowing(deny + `tool: Bash, conditions: {operator: not_runs, value: ls}`),
			allowing(deny + `tool: [Bash, WebFetch], conditions: {operator: not_runs, value: ls}, unless: [{tool: WebFetch}]`),
			allowing(deny + `tool: "*", not_tool: ["*"], conditions: {param_path: a, operator: not_equals, value: b}, silence: [{warning: rule-without-effect, reason: x}]`),
			allowing(deny + `tool: "mcp__*", conditions: {param_path: path, operator: not_within, value: $project}`),
		},
	},
	policy.WarnAlways: {
		warned: []string{
			allowing(deny + "server: a, tool: deploy, conditions: {any: [{param_path: to, operator: not_equals, value: dev}, {param_path: to, operator: not_equals, value: test}]}"),
			allowing(deny + "server: a, tool: write, conditions: {any: [{param_path: path, operator: not_within, value: /a}, {param_path: path, operator: not_within, value: /b}]}"),
		},
		fine: []string{
			allowing(deny + "server: a, tool: deploy, conditions: {all: [{param_path: to, operator: not_equals, value: dev}, {param_path: to, operator: not_equals, value: test}]}"),
			allowing(deny + "server: a, tool: deploy, conditions: {any: [{param_path: to, operator: not_equals, value: dev}, {param_path: of, operator: not_equals, value: test}]}"),
			allowing(deny + "server: a, tool: write, conditions: {any: [{param_path: path, operator: not_within, value: /a}, {param_path: path, operator: not_within, value: /a/b}]}"),
			allowing(deny + "server: a, tool: deploy, conditions: {any: [{param_path: to, operator: not_in, value: [a, b]}, {param_path: to, operator: not_in, value: [b, c]}]}"),
		},
	},
	policy.WarnNever: {
		warned: []string{
			allowing(deny + "server: a, tool: deploy, conditions: {all: [{param_path: to, operator: equals, value: dev}, {param_path: to, operator: equals, value: test}]}"),
		},
		fine: []string{
			allowing(deny + "server: a, tool: deploy, conditions: {any: [{param_path: to, operator: equals, value: dev}, {param_path: to, operator: equals, value: test}]}"),
			allowing(deny + `server: a, tool: deploy, conditions: {all: [{param_path: "to[*]", operator: equals, value: dev}, {param_path: "to[*]", operator: equals, value: test}]}`),
			allowing(deny + "server: a, tool: deploy, conditions: {all: [{param_path: n, operator: equals, value: 1}, {param_path: n, operator: equals, value: 1.0}]}"),
		},
	},
	policy.WarnNoCommands: {
		warned: []string{
			allowing(deny + "tool: WebFetch, conditions: {operator: reads, value: .env}"),
			allowing(deny + "tool: [Read, Write], conditions: {operator: runs, value: rm}"),
			allowing(deny + "tool: WebSearch, conditions: {operator: connects, value: remote}"),
		},
		fine: []string{
			allowing(deny + "tool: [Read, Bash], conditions: {operator: reads, value: .env}"),
			allowing(deny + "tool: [Read, Bash], conditions: {operator: runs, value: rm}"),
			allowing(deny + `tool: "mcp__*", conditions: {operator: runs, value: rm}`),
			allowing(deny + "tool: WebFetch, conditions: {param_path: $, operator: runs, value: rm}"),
			allowing(deny + "tool: Task, conditions: {operator: runs, value: rm}"),
		},
	},
	policy.WarnTrailingStar: {
		warned: []string{
			denying(allow + `tool: Bash, conditions: {operator: runs, value: ["git push origin bot/*"]}`),
			denying(allow + `tool: Bash, conditions: {operator: runs, value: "git push origin *"}`),
			denying(allow + `tool: Bash, conditions: {operator: runs, value: "npm run test:*"}`),
			allowing(deny + `tool: Bash, conditions: {operator: runs, value: "git push*"}, unless: [{conditions: {operator: runs, value: "git push origin bot/*"}}]`),
			allowing(deny + `tool: Bash, conditions: {all: [{operator: runs, value: "git push*"}], none: [{operator: runs, value: "git push origin bot/*"}]}`),
			allowing(deny + `tool: Bash, conditions: {operator: not_runs, value: "rm build/*"}`),
		},
		fine: []string{
			denying(allow + `tool: Bash, conditions: {operator: runs, value: ["git push origin bot/<word>"]}`),
			denying(allow + `tool: Bash, conditions: {operator: runs, value: ["git log*", "ls *", "go test ./... *", "node scripts/*"]}`),
			denying(deny + `tool: Bash, conditions: {operator: runs, value: ["git push origin bot/*"]}`),
		},
	},
	policy.WarnExactCommand: {
		warned: []string{
			allowing(deny + "tool: Bash, conditions: {operator: runs, value: git push}"),
			allowing(deny + "tool: Bash, conditions: {operator: runs, value: git push --force}"),
			allowing("verdict: pending_approval, tool: Bash, conditions: {operator: runs, value: [ls, npm publish]}"),
		},
		fine: []string{
			allowing(deny + "tool: Bash, conditions: {operator: runs, value: [git push*, git, terraform plan, rm -rf /]}"),
			allowing(deny + `tool: Bash, conditions: {operator: runs, value: [git push, "git push *"]}`),
			denying(allow + "tool: Bash, conditions: {operator: runs, value: git fetch}"),
		},
	},
	policy.WarnProgramStar: {
		warned: []string{
			allowing(deny + `tool: Bash, conditions: {operator: runs, value: "git*push*"}`),
			allowing(deny + `tool: Bash, conditions: {operator: runs, value: [ls, "*push*"]}`),
			allowing(deny + `tool: Bash, conditions: {operator: surely_runs, value: "rm%-rf%"}`),
			denying(allow + `tool: Bash, conditions: {operator: runs, value: "npm*publish"}`),
		},
		fine: []string{
			allowing(deny + `tool: Bash, conditions: {operator: runs, value: ["git *push*", "* *push*", "pip*", "*sh", "*sudo*", "*", "*-docs", "*deploy*", "docker*compose"]}`),
			allowing(deny + `tool: Bash, conditions: {operator: runs, value: ["*.sh", "scripts/*-prod", "./deploy*x", "./git*push*"]}`),
		},
	},
	policy.WarnTextMatch: {
		warned: []string{
			denying(allow + "tool: Bash, conditions: {param_path: command, operator: starts_with, value: 'git '}"),
			denying(allow + "tool: Bash, conditions: {param_path: command, operator: matches, value: '^npm (test|run build)'}"),
			denying(allow + "tool: Bash, conditions: {param_path: [command, cmd], operator: contains, value: npm test}"),
			denying(allow + "tool: WebFetch, conditions: {param_path: url, operator: contains, value: github.com}"),
			denying(allow + "tool: WebFetch, conditions: {param_path: url, operator: starts_with, value: 'https://github.com'}"),
			denying(allow + "tool: WebFetch, conditions: {param_path: url, operator: matches, value: 'docs\\.example\\.com'}"),
			denying(allow + "tool: Write, conditions: {param_path: file_path, operator: starts_with, value: /home/ann/project/}"),
			allowing(deny + "tool: Bash, unless: [{conditions: {param_path: command, operator: starts_with, value: git log}}]"),
			allowing(deny + "tool: Bash, conditions: {param_path: command, operator: starts_with, value: sudo}"),
			allowing(deny + "tool: Bash, conditions: {param_path: command, operator: matches, value: '^rm -rf'}"),
			allowing(deny + "server: db, tool: query, conditions: {param_path: sql, operator: contains, value: DROP}"),
			allowing(deny + "tool: WebFetch, conditions: {param_path: url, operator: contains, value: evil.example}"),
			allowing(deny + "tool: Read, conditions: {param_path: file_path, operator: starts_with, value: /etc/}"),
		},
		fine: []string{
			denying(allow + "tool: Bash, conditions: {param_path: command, operator: matches, value: '^git (status|log)$'}"),
			denying(allow + "tool: Bash, conditions: {param_path: command, operator: equals, value: git status}"),
			denying(allow + "tool: Bash, conditions: {all: [{param_path: command, operator: starts_with, value: 'git '}, {operator: runs, value: git}]}"),
			denying(allow+"tool: Bash, conditions: {param_path: command, operator: starts_with, value: 'git '}", deny+"tool: Bash, conditions: {operator: not_runs, value: git}"),
			denying(allow + "tool: Bash, conditions: {param_path: command, operator: starts_with, value: 'git '}, unless: [{conditions: {operator: not_runs, value: git}}]"),
			denying(allow + "tool: WebFetch, conditions: {param_path: url, operator: starts_with, value: 'https://github.com/'}"),
			denying(allow + "tool: Write, conditions: {param_path: file_path, operator: ends_with, value: .md}"),
			allowing(deny + "tool: Bash, conditions: {param_path: command, operator: contains, value: sudo}"),
			denying(allow + "tool: Bash, conditions: {param_path: description, operator: contains, value: test}"),
			allowing(deny + "tool: Bash, conditions: {param_path: command, operator: matches, value: 'rm\\s+-rf'}"),
			allowing(deny + "server: db, tool: query, conditions: {param_path: sql, operator: matches, value: '(?i)drop'}"),
			allowing(deny+"tool: Bash, conditions: {param_path: command, operator: starts_with, value: sudo}", deny+"tool: Bash, conditions: {operator: runs, value: sudo}"),
			denying(deny + "tool: Bash, conditions: {param_path: command, operator: starts_with, value: sudo}"),
			allowing(deny + "server: docs, tool: resources/read, conditions: {param_path: uri, operator: matches, value: '\\.(pem|key)$'}"),
		},
	},
	policy.WarnLiteralStar: {
		warned: []string{
			allowing(deny + "tool: Bash, conditions: {param_path: command, operator: equals, value: git push*}"),
			allowing(deny + "tool: Read, conditions: {param_path: file_path, operator: starts_with, value: /etc/*}"),
			allowing(deny + "tool: Read, conditions: {param_path: file_path, operator: in, value: [/etc/*]}"),
			allowing(deny + "tool: Read, conditions: {param_path: file_path, operator: ends_with, value: '*.pem'}"),
			allowing(deny + "tool: Bash, conditions: {param_path: command, operator: equals, value: kubectl * prod}"),
		},
		fine: []string{
			allowing(deny + "server: iam, tool: grant, conditions: {param_path: to, operator: equals, value: '*'}"),
			allowing(deny + "tool: Bash, conditions: {operator: runs, value: git push*}"),
			allowing(deny + "tool: Bash, conditions: {param_path: command, operator: contains, value: 'rm *'}"),
		},
	},
	policy.WarnRelative: {
		warned: []string{
			denying(allow + "tool: [Write, Edit], conditions: {operator: writes, value: ./**}"),
			allowing(deny + "tool: Read, conditions: {param_path: file_path, operator: within, value: secrets}"),
			allowing(deny + "tool: Read, conditions: {param_path: file_path, operator: path_in, value: [./a, ./b/**]}"),
			allowing(deny + "tool: Read, conditions: {param_path: file_path, operator: starts_with, value: src/}"),
		},
		fine: []string{
			denying(allow + "tool: [Write, Edit], conditions: {operator: writes, value: $project/**}"),
			allowing(deny + "tool: [Write, Edit], conditions: {operator: not_writes, value: [./**, $project/**]}"),
			allowing(deny + "tool: Bash, conditions: {operator: removes, value: ./**}"),
			denying(deny + "tool: Read, conditions: {param_path: file_path, operator: path_in, value: [.env, secrets/**]}"),
			allowing(deny + "server: fs, tool: read, conditions: {param_path: path, operator: within, value: .}"),
			denying(deny + "tool: Read, conditions: {param_path: file_path, operator: starts_with, value: /src/}"),
		},
	},
	policy.WarnFolder: {
		warned: []string{
			allowing(deny + `tool: "*", conditions: {operator: reads, value: ["~/.ssh"]}`),
			allowing(deny + `tool: "*", conditions: {operator: writes, value: /etc}`),
			denying(allow + `tool: Write, conditions: {operator: writes, value: [src, tests]}`),
			allowing(deny + "tool: Read, conditions: {param_path: file_path, operator: path_in, value: /srv/secrets/}"),
		},
		fine: []string{
			allowing(deny + `tool: "*", conditions: {operator: reads, value: ["~/.ssh/**"]}`),
			allowing(deny + `tool: "*", conditions: {operator: writes, value: [/etc, /etc/**]}`),
			allowing(deny + `tool: "*", conditions: {operator: removes, value: [/etc, "~"]}`),
			allowing(deny + `tool: "*", conditions: {operator: reads, value: [.env, /etc/passwd]}`),
			allowing(deny + `tool: Read, conditions: {param_path: file_path, operator: within, value: /etc}`),
		},
	},
	policy.WarnHostGlob: {
		warned: []string{
			denying(allow + `tool: WebFetch, conditions: {param_path: url, operator: host_in, value: "*example.com"}`),
			allowing(deny + `tool: WebFetch, conditions: {param_path: url, operator: not_host_in, value: [good.example, "*github.com"]}`),
			denying(allow + `tool: WebFetch, conditions: {param_path: url, operator: host_in, value: "github.*"}`),
			allowing(`verdict: deny, surface: egress, conditions: {param_path: host, operator: not_host_in, value: "*github.com"}`),
		},
		fine: []string{
			denying(allow + `tool: WebFetch, conditions: {param_path: url, operator: host_in, value: ["*.example.com", example.com]}`),
			allowing(deny + `tool: WebFetch, conditions: {param_path: url, operator: host_in, value: "*example.com"}`),
			denying(allow + `tool: WebFetch, conditions: {param_path: url, operator: host_in, value: "*"}`),
		},
	},
	policy.WarnOtherWay: {
		warned: []string{
			allowing(deny + "tool: Read, conditions: {operator: reads, value: .env}"),
			allowing(deny + "tool: Read, conditions: {param_path: file_path, operator: path_in, value: [.env, '*.pem']}"),
			allowing(deny + "tool: [Write, Edit], conditions: {param_path: file_path, operator: path_in, value: /etc/**}"),
			allowing("verdict: pending_approval, tool: [Bash, shell, exec_command], conditions: {operator: writes, value: /etc/**}"),
		},
		fine: []string{
			allowing(deny + "tool: '*', conditions: {operator: reads, value: .env}"),
			allowing(deny + "tool: [Read, Bash], conditions: {operator: reads, value: .env}"),
			allowing(deny+"tool: Read, conditions: {operator: reads, value: .env}", deny+"tool: Bash, conditions: {operator: runs, value: cat}"),
			allowing(deny+"tool: Read, conditions: {operator: reads, value: .env}", "tool: Bash, verdict: deny"),
			denying("tool: Edit, verdict: allow", deny+"tool: Edit, conditions: {operator: writes, value: .env}"),
			allowing(deny + "tool: Bash, conditions: {operator: removes, value: .env}"),
			allowing(deny + "tool: Read, shadow: true, conditions: {operator: reads, value: .env}"),
		},
	},
	policy.WarnTool: {
		warned: []string{
			allowing("tool: Bsh, verdict: deny"),
			allowing("tool: [Bash, Terminal], verdict: deny"),
			allowing("tool: mcp__github, verdict: deny"),
		},
		fine: []string{
			allowing(`tool: [Bash, bash, exec_command, functions.shell, run_terminal_cmd, "Terminal*", mcp__github__x, github.x, prompts/get], verdict: deny`),
			allowing("server: shop, tool: pay, verdict: deny"),
			allowing(`server: "*", tool: pay, verdict: deny`),
			"version: 1\ndefault: allow\nmcp: {native_tools: [\"my_*\"]}\nrules: [{id: r, tool: my_tool, verdict: deny}]\n",
			allowing("tool: web_search_20250305, surface: inbound, verdict: deny"),
			allowing("tool: connect, surface: egress, verdict: deny"),
		},
	},
	policy.WarnParameter: {
		warned: []string{
			allowing(deny + "tool: Bash, conditions: {param_path: cmd, operator: contains, value: sudo}"),
			allowing(deny + "tool: [Read, Write], conditions: {param_path: path, operator: within, value: /etc}"),
		},
		fine: []string{
			allowing(deny + "tool: Bash, conditions: {param_path: [cmd, command], operator: contains, value: sudo}"),
			allowing(deny + "tool: [Bash, exec_command], conditions: {param_path: cmd, operator: contains, value: sudo}"),
			allowing(deny + "tool: Bash, conditions: {param_path: new_option, operator: equals, value: true}"),
			allowing(deny + "server: x, tool: Bash, conditions: {param_path: cmd, operator: contains, value: sudo}"),
		},
	},
	policy.WarnRegexp: {
		warned: []string{
			allowing(`tool: "mcp__github__.*", verdict: deny`),
			allowing(`tool: "Read|Write", verdict: deny`),
			allowing(`tool: "*", server: "^fs", verdict: deny`),
		},
		fine: []string{allowing(`tool: ["functions.*", "mcp__github__*", "multi_agent_v1.*"], verdict: deny`)},
	},
	policy.WarnUnusedSilence: {
		warned: []string{
			allowing("tool: Bash, verdict: deny, silence: [{warning: unknown-tool, reason: x}]"),
			"version: 1\ndefault: allow\nsilence: [{warning: unknown-tool, rule: other, reason: x}]\nrules: [{id: r, tool: Pay, verdict: deny}]\n",
		},
		fine: []string{
			allowing("tool: Pay, verdict: deny, silence: [{warning: unknown-tool, reason: x}]"),
			"version: 1\ndefault: allow\nsilence: [{warning: unknown-tool, rule: r, reason: x}]\nrules: [{id: r, tool: Pay, verdict: deny}]\n",
			// Without a record nobody knows.
			allowing("tool: Bash, verdict: deny, silence: [{warning: never-met, reason: x}]"),
		},
	},
}

func TestWarnings(t *testing.T) {
	now, err := when.ParseMoment("2026-11-18T09:00:00Z")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range policy.Warnings {
		cases, ok := table[id]
		if !ok && id != policy.WarnNeverMet {
			t.Errorf("%s has no cases", id)
		}
		for i, text := range slices.Concat(cases.warned, cases.fine) {
			p, err := policy.Parse("p.yaml", []byte(text))
			if err != nil {
				t.Errorf("%s: %v\n%s", id, err, text)
				continue
			}
			var of, others []string
			for _, w := range warn.New(p).Find(now).Warnings {
				if w.Line == 0 || w.Column == 0 || w.File != "p.yaml" || w.Key == "" || w.Message == "" || w.Cure == "" {
					t.Errorf("%s says not all: %+v", w.ID, w)
				}
				if w.ID == id {
					of = append(of, w.String())
				} else {
					others = append(others, w.ID+": "+w.String())
				}
			}
			if want := i < len(cases.warned); (len(of) > 0) != want {
				t.Errorf("%s: warned: %v\n%s", id, !want, text)
			} else if !want && len(others) > 0 {
				t.Errorf("what is fine has another warning: %s\n%s", others, text)
			}
		}
	}
}
