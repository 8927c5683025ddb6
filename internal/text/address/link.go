package address

import (
	"regexp"
	"strings"
)

// Links returns the hosts to which a text links: those of its URLs and of sources such as git@host:path and host.example/path, from
// which builds take code and images. Words that only look like hosts, such as names of files and versions, are no links.
func Links(text string) []Host {
	text = stores.ReplaceAllString(text, " ")
	found, _ := Hosts(text)
	links := found[:0:0]
	for _, h := range found {
		if !h.Loose && (!mayBeFile(h.Name) || strings.Contains(strings.ToLower(text), "://"+h.Name)) {
			links = append(links, h)
		}
	}
	for _, m := range sourceInText.FindAllStringSubmatch(text, -1) {
		if name := strings.ToLower(m[1]); !mayBeFile(name) {
			links = append(links, Host{Name: name})
		}
	}
	return links
}

// stores are the addresses of buckets, which name no host.
var stores = regexp.MustCompile(`(?i)\b(?:s3|s3a|gs|gcs|az|abfss?|wasbs?|oss|cos|r2)://[^\s"'<>]+`)

// sourceInText is a host with a path and without a scheme, as images and modules are named.
var sourceInText = regexp.MustCompile(`(?i)(?:^|[\s"'=@(])((?:[a-z0-9-]+\.)+[a-z]{2,})(?::\d+)?/[a-z0-9_-]`)

// mayBeFile reports names that end like a file of a project, also those whose ending some public hosts have.
func mayBeFile(name string) bool {
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "md", "py", "rs", "sh", "pl", "ps", "app", "zip", "git":
		return true
	}
	return isFileName(name)
}
