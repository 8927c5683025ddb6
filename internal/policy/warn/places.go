package warn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// ofPlaces are the operators whose values are files and folders.
var ofPlaces = strings.Fields(`reads writes removes surely_reads surely_writes surely_removes path_in within`)

// checkPlaces warns of places that mean less than they seem to.
func (f *Finder) checkPlaces(r *rule, t *test) {
	f.checkRelative(r, t)
	if !slices.Contains(ofPlaces, t.operator) || t.operator == "removes" || t.operator == "surely_removes" || t.operator == "within" {
		return
	}
	for _, v := range t.values {
		if !isFolder(v.Text) || t.isListed(v) || hasBelow(t.values, v.Text) {
			continue
		}
		folder := strings.TrimSuffix(v.Text, "/")
		if t.seesBelow(v.Text, folder) {
			continue
		}
		cure := fmt.Sprintf("write %s for everything below it", yamlfile.Quote(folder+"/**"))
		if !strings.ContainsAny(folder[:min(1, len(folder))], "/~.") {
			cure = fmt.Sprintf("write %s for everything below it, or %s in any folder", yamlfile.Quote("$project/"+folder+"/**"),
				yamlfile.Quote(folder+"/**"))
		}
		f.add(policy.WarnFolder, r, v, fmt.Sprintf("%s is the folder itself, not what is in it", yamlfile.Quote(v.Text)), cure)
	}
}

// isListed says whether a value comes from a list of weir's: all of its texts are where the policy names it.
func (t *test) isListed(v *yamlfile.Node) bool {
	return slices.ContainsFunc(t.values, func(w *yamlfile.Node) bool {
		return w != v && w.Line == v.Line && w.Column == v.Column && w.File() == v.File()
	})
}

// seesBelow says whether the test holds for a file in a folder.
func (t *test) seesBelow(place, folder string) bool {
	file := quoted(strings.Replace(folder, "~", "/home/ann", 1) + "/a")
	asks := probeOf(t.alone(place), policy.Deny)
	return asks.holds("Read", `{"file_path":`+file+`}`) || asks.holds("Write", `{"file_path":`+file+`,"content":"a"}`)
}

// folders are places that are surely folders.
var folders = strings.Fields(`/ /etc /usr /var /opt /home /Users /boot /bin /sbin /lib /srv /proc /sys /tmp /mnt /media ~ ~/.ssh ~/.aws
	~/.gnupg ~/.kube ~/.docker ~/.config ~/.azure ~/.config/gcloud .ssh .aws .gnupg .kube .git node_modules src tests docs dist secrets
	infra migrations vendor .github .vscode .idea .terraform`)

// isFolder says whether a place is surely a folder.
func isFolder(place string) bool {
	return slices.Contains(folders, place) || len(place) > 1 && strings.HasSuffix(place, "/")
}

// hasBelow says whether the places have one in a folder, too.
func hasBelow(places []*yamlfile.Node, folder string) bool {
	return slices.ContainsFunc(places, func(p *yamlfile.Node) bool {
		return p.Text != folder && strings.HasPrefix(p.Text, strings.TrimSuffix(folder, "/")+"/")
	})
}

// checkRelative warns of relative places where agents give absolute paths.
func (f *Finder) checkRelative(r *rule, t *test) {
	i := slices.IndexFunc(knownTools, func(k knownTool) bool { return k.absolute && r.names(k.name) })
	if i < 0 || !r.ofCalls() || len(t.values) == 0 {
		return
	}
	var relative func(place string) bool
	switch {
	case slices.Contains(ofPlaces, t.operator) && t.operator != "within":
		relative = func(place string) bool { return place == "." || strings.HasPrefix(place, "./") }
	case t.operator == "within", t.operator == "starts_with" && t.ofPaths():
		relative = func(place string) bool {
			return !strings.ContainsAny(place[:min(1, len(place))], `/~$\`) && !strings.Contains(place, ":")
		}
	default:
		return
	}
	if slices.ContainsFunc(t.values, func(v *yamlfile.Node) bool { return !relative(v.Text) }) {
		return
	}
	place := strings.TrimPrefix(strings.TrimPrefix(t.values[0].Text, "."), "/")
	cure := "$project"
	if place != "" {
		cure += "/" + strings.TrimSuffix(place, "/")
	}
	if t.operator == "starts_with" {
		cure = "path_in with " + yamlfile.Quote(cure+"/**")
	} else {
		cure = yamlfile.Quote(cure)
	}
	f.add(policy.WarnRelative, r, t.node.Get("value"),
		fmt.Sprintf("the place is relative, but agents give %s absolute paths, which it does not match", knownTools[i].name), "write "+cure)
}

// ofPaths says whether the test looks at parameters that are paths.
func (t *test) ofPaths() bool {
	return len(t.paths) > 0 && !slices.ContainsFunc(t.paths, func(path string) bool { return !slices.Contains(pathParams, lastName(path)) })
}

// checkHosts warns of globs of hosts that match hosts of others.
func (f *Finder) checkHosts(r *rule, t *test, at position) {
	if t.operator != "host_in" || at.grants == t.negated {
		return
	}
	for _, v := range t.values {
		rest, wild := strings.CutPrefix(v.Text, "*")
		switch {
		case builtin[v.Text] || v.Text == "*":
		case wild && !strings.HasPrefix(rest, "."):
			f.add(policy.WarnHostGlob, r, v, fmt.Sprintf("%s is also %s", yamlfile.Quote(v.Text), yamlfile.Quote("evil"+rest)),
				fmt.Sprintf("write %s for the hosts below, and %s for the host itself", yamlfile.Quote("*."+rest), yamlfile.Quote(rest)))
		case strings.HasSuffix(v.Text, "*"):
			f.add(policy.WarnHostGlob, r, v,
				fmt.Sprintf("%s is also a host of others, such as %s", yamlfile.Quote(v.Text),
					yamlfile.Quote(strings.TrimSuffix(v.Text, "*")+"evil.example")),
				"write the hosts out")
		}
	}
}
