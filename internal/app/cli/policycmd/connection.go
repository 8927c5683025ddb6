package policycmd

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/condition"
	"github.com/weir-gate/weir/internal/policy/study"
	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// connectionFlags describe a connection.
type connectionFlags struct {
	hosts             []string
	address, protocol string
	process           string
	port              uint16
	loopback          bool
	given             []string // the flags that are set
}

var connectionFlagNames = []string{"host", "address", "port", "protocol", "loopback", "process"}

func (f *connectionFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.hosts, "host", nil, "on egress: the host; repeat it if it has several names")
	cmd.Flags().StringVar(&f.address, "address", "", "on egress: the address")
	cmd.Flags().Uint16Var(&f.port, "port", 0, "on egress: the port")
	cmd.Flags().StringVar(&f.protocol, "protocol", "", "on egress: tcp or udp")
	cmd.Flags().BoolVar(&f.loopback, "loopback", false, "on egress: the connection is to a service on this machine")
	cmd.Flags().StringVar(&f.process, "process", "", "on egress: the program that connects")
}

// note stores which of the flags are set.
func (f *connectionFlags) note(cmd *cobra.Command) {
	f.given = slices.DeleteFunc(slices.Clone(connectionFlagNames), func(name string) bool { return !cmd.Flags().Changed(name) })
}

// args returns the arguments of the connection in the form in which they are judged.
func (f *connectionFlags) args() (jsontext.Value, error) {
	parts := map[string]any{}
	for _, name := range f.given {
		switch name {
		case "host":
			if slices.Contains(f.hosts, "") {
				return nil, errors.New("--host: the name is empty; leave the flag out if only the address is known")
			}
			if parts["host"] = f.hosts; len(f.hosts) == 1 {
				parts["host"] = f.hosts[0]
			}
		case "address":
			addr, err := netip.ParseAddr(f.address)
			if err != nil {
				return nil, fmt.Errorf("--address: %q is not an address; write one such as 192.0.2.1, and names with --host", f.address)
			}
			parts["address"] = addr.Unmap().String()
		case "port":
			parts["port"] = f.port
		case "protocol":
			if f.protocol != "tcp" && f.protocol != "udp" {
				return nil, fmt.Errorf("--protocol: %q is not known; use tcp or udp", f.protocol)
			}
			parts["protocol"] = f.protocol
		case "loopback":
			if f.loopback {
				parts["loopback"] = true
			}
		case "process":
			parts["process"] = f.process
		}
	}
	text, err := json.Marshal(parts, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("make the arguments: %w", err)
	}
	return text, nil
}

// connection completes the event of a connection on the command line.
func (f *explainFlags) connection(e *record.Event) error {
	if acts := []string{string(call.Connect), string(call.Resolve)}; e.Tool == "" {
		e.Tool = acts[0]
	} else if !slices.Contains(acts, e.Tool) {
		return fmt.Errorf("--tool: %q is not possible on egress; use %s", e.Tool, yamlfile.OneOf(acts))
	}
	var err error
	if len(f.connectionFlags.given) > 0 {
		e.Args, err = f.connectionFlags.args()
		return err
	}
	parts := map[string]jsontext.Value{}
	if err := json.Unmarshal(e.Args, &parts); err != nil {
		return fmt.Errorf("--args: %w", err)
	}
	for name := range parts {
		if !slices.Contains(condition.ConnectionParts(), name) {
			return fmt.Errorf("--args: a connection has no part %q; use %s", name, yamlfile.OneOf(condition.ConnectionParts()))
		}
	}
	return nil
}

// connectionQuery returns a connection as a policy sees it. If no rule decided when it was recorded, the same default is used
// again. Otherwise that default is not known, and the given one is used.
func connectionQuery(e record.Event, otherwise policy.Verdict) policy.Query {
	q := queryOf(e)
	q.Fallback = otherwise
	if e.Type != "" && (e.Rule == "" || byOwnRule(e)) {
		q.Fallback = settled(e).Verdict
	}
	return q
}

// ownRulePrefix begins the names of weir's own rules about connections.
const ownRulePrefix = "egress."

// byOwnRule says that one of weir's own rules, not the policy, decided about a connection.
func byOwnRule(e record.Event) bool { return strings.HasPrefix(e.Rule, ownRulePrefix) }

// ownRules says what weir's own rules look at.
var ownRules = map[string]string{
	"egress.unread":   "at the first bytes of the connection, which are not on record",
	"egress.loopback": "at the ports that egress.loopback in weir.yaml and weir run --loopback declare",
	"egress.models":   "at egress.models in weir.yaml",
	"egress.weir":     "at the addresses that weir listens on",
	"egress.udp":      "at the protocol: no datagram is passed on",
	"egress.detour":   "at what another machine is asked for",
}

// explainConnection explains what a policy says about a connection. If one of weir's own rules decided, the default of that time is
// not known.
func explainConnection(p *policy.Policy, a act, otherwise policy.Verdict) explained {
	q := connectionQuery(a.event, otherwise)
	var note string
	if byOwnRule(a.event) {
		q.Fallback = otherwise
		note = "the policy alone does not explain the ruling on record: " + a.event.Rule + " is weir's own rule"
		if looks := ownRules[a.event.Rule]; looks != "" {
			note += ", which looks " + looks
		}
	}
	out := explained{Explanation: p.Explain(q), Note: note}
	out.Duties = dutiesOf(p, out.Decision, q.Args)
	out.remember(a, study.Settled{Verdict: out.Decision.Verdict, Rule: out.Decision.Rule})
	return out
}
