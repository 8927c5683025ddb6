package address

import (
	"net/netip"
	"strings"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/text/truth"
)

// Local says whether a target is on this machine: a loopback or unspecified address in any spelling, localhost and names below it, the
// names by which containers reach the machine that they run on, or the path of a socket. The target is a host, host:port, user@host or
// a URL of any scheme. Bytes that are never part of valid UTF-8 are unknown parts of it. An empty target names nothing: Maybe.
func Local(target string) truth.Value {
	target = strings.TrimSpace(target)
	scheme, rest, isURL := cutScheme(target)
	switch {
	case rest == "" && !isURL:
		return truth.Maybe
	case strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "./") || rest[:indexAny(rest, "/?#")] == "",
		scheme == "unix", scheme == "file", scheme == "npipe", strings.HasPrefix(rest, "%2f"), strings.HasPrefix(rest, "%2F"):
		return truth.Yes // a socket or a file
	}
	var all []truth.Value
	for _, hostport := range hostReadings(rest[:indexAny(rest, "/")]) {
		for one := range strings.SplitSeq(hostport, ",") {
			for _, h := range readHost(cutPort(maskUnknown(one))) {
				all = append(all, h.local())
			}
		}
	}
	if len(all) == 0 {
		return truth.No
	}
	for _, a := range all[1:] {
		if a != all[0] {
			return truth.Maybe
		}
	}
	return all[0]
}

// cutScheme cuts scheme:// off a target. Schemes in front of another, as in jdbc:postgresql://, are dropped.
func cutScheme(target string) (scheme, rest string, isURL bool) {
	before, after, isURL := strings.Cut(target, "://")
	if !isURL || strings.ContainsAny(before, "/@?#") {
		return "", target, false
	}
	before = before[strings.LastIndexByte(before, ':')+1:]
	return strings.ToLower(before), after, true
}

// maskUnknown replaces the unknown parts of a host by the mark that readHost knows.
func maskUnknown(host string) string {
	if utf8.ValidString(host) {
		return host
	}
	return strings.ToValidUTF8(host, string([]byte{hole}))
}

// localNames are the names that mean the machine itself, and those by which containers call the machine that they run on.
var localNames = nameSet(`localhost localhost.localdomain localhost6 localhost6.localdomain6 ip6-localhost ip6-loopback loopback
	host.docker.internal gateway.docker.internal kubernetes.docker.internal docker.for.mac.host.internal host.containers.internal
	host.lima.internal host.rancher-desktop.internal host.orb.internal host.minikube.internal`)

// local says whether the host is this machine.
func (h Host) local() truth.Value {
	switch {
	case h.Partial && strings.HasSuffix(h.Name, ".localhost"):
		return truth.Yes
	case h.Partial:
		// A name with a known end that is no local one is elsewhere, whatever its begin.
		tail := h.Name[strings.LastIndexByte(h.Name, '*')+1:]
		if strings.Count(tail, ".") > 1 && !strings.HasSuffix(tail, ".internal") && strings.Trim(tail, "0123456789.") != "" {
			return truth.No
		}
		return truth.Maybe
	case h.Addr.IsValid():
		return localAddr(h.Addr)
	case localNames[h.Name] || strings.HasSuffix(h.Name, ".localhost"):
		return truth.Yes
	}
	return truth.No
}

func localAddr(a netip.Addr) truth.Value {
	if a.IsLoopback() || a.IsUnspecified() {
		return truth.Yes
	}
	return truth.No
}
