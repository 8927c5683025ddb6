package fileuse

import (
	"regexp"
	"strings"
)

// devicePaths match what Windows takes before a path: the names of devices, of copies of a drive, and of this machine as a server.
var devicePaths = regexp.MustCompile(`(?i)^[\\/]{2}(?:[^\\/][\\/](?:unc[\\/])?)?(?:` +
	`globalroot[\\/]device[\\/]harddiskvolume\w*|(?:localhost|127\.0\.0\.1|\.)[\\/]([a-z])\$|([a-z]):|[\\/]*volume\{[^}]*\})(?:[\\/]|$)`)

// withoutDevice returns a path with the drive instead of such a beginning. A copy of a drive counts as C.
func withoutDevice(path string) string {
	if len(path) < 4 || path[0] != '\\' && path[0] != '/' || path[1] != '\\' && path[1] != '/' {
		return path
	}
	found := devicePaths.FindStringSubmatch(path[:min(len(path), maxPath)])
	if found == nil {
		return path
	}
	drive := found[1] + found[2]
	if drive == "" {
		drive = "C"
	}
	return strings.ToUpper(drive) + `:\` + path[len(found[0]):]
}
