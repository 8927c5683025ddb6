package code

import (
	"strings"
	"testing"
)

// Reading code, for the size of the text.
func BenchmarkRead(b *testing.B) {
	for name, text := range map[string]string{
		"python":     strings.Repeat("import os\nfor f in os.listdir('a'):\n    print(f'{f}: ' + open(os.path.join('a', f)).read())\n", 1<<10),
		"powershell": strings.Repeat("$x = Get-ChildItem src | Where-Object { $_.Length -gt 10 }; Write-Host \"$x files\"\n", 1<<10),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Read(text, byName[name])
			}
		})
	}
}
