package deed

import "strings"

// These programs change keys of the registry, and those remove them. Most do the same to files.
const (
	registryPrograms = `reg set-itemproperty new-itemproperty sp remove-itemproperty rp clear-itemproperty rename-itemproperty new-item ni
		set-item si`
	registryRemovers = "remove-item ri rm rd del erase rmdir clear-item cli"
)

// hives are how keys of the registry begin.
var hives = []string{"hklm", "hkcu", "hkcr", "hku", "hkcc", "hkey_", "registry::", `microsoft.powershell.core\registry::`}

// namesKey reports a line with a word that is a key of the registry.
func (l *line) namesKey() bool {
	for _, it := range l.items {
		text := strings.ToLower(it.word.Text)
		for _, hive := range hives {
			if strings.HasPrefix(text, hive) {
				return true
			}
		}
	}
	return false
}

// changesKey reads the programs that change files, or other things, and also keys of the registry.
func changesKey(f *finder, l *line) {
	first := l.first()
	if !l.namesKey() || len(first) > 0 && l.name == "reg" && readsKey[strings.ToLower(first[0].Text)] {
		return
	}
	f.rowsAs(l, "registry")
	if len(first) > 0 && l.name == "reg" && strings.EqualFold(first[0].Text, "delete") {
		f.rowsAs(l, "registry-removal")
	}
}

// readsKey are the commands of reg that change nothing.
var readsKey = wordSet("query compare export save load unload copy flags")

// removesKey reads the programs that remove files, and also keys of the registry.
func removesKey(f *finder, l *line) {
	if l.namesKey() {
		f.rowsAs(l, "registry")
		f.rowsAs(l, "registry-removal")
	}
}
