package address

import (
	"strings"
	"testing"
)

func FuzzHosts(f *testing.F) {
	for _, tt := range namesEvil {
		f.Add(tt.text)
	}
	for _, tt := range addressesInside {
		f.Add(tt.text)
	}
	for _, text := range lookAlikes {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		hosts, _ := Hosts(text)
		for _, h := range hosts {
			if h.Name == "" || strings.HasSuffix(h.Name, ".") || h.Name != strings.ToLower(h.Name) && len(h.Name) < maxLabel {
				t.Errorf("name %q is not canonical", h.Name)
			}
			if h.Addr.IsValid() && (h.Addr.Zone() != "" || h.Addr.Is4In6() || h.Name != h.Addr.String()) {
				t.Errorf("address %v of %q is not canonical", h.Addr, h.Name)
			}
		}
		// A URL in front of any text is found, whatever follows its blank.
		if found, _ := Hosts("https://marker.example/ " + text); !hasName(found, "marker.example") {
			t.Errorf("the URL before the text is lost in %v", found)
		}
		if found, _ := Hosts(text + " https://marker.example/"); !hasName(found, "marker.example") && !hasPartial(found) {
			t.Errorf("the URL after the text is lost in %v", found)
		}
	})
}

func hasName(hosts []Host, name string) bool {
	for _, h := range hosts {
		if h.Name == name {
			return true
		}
	}
	return false
}

func hasPartial(hosts []Host) bool {
	for _, h := range hosts {
		if h.Partial {
			return true
		}
	}
	return false
}

// costly are texts that would take long if any part were read again and again.
var costly = map[string]string{
	"prose": "the quick brown fox reads main.go at https://example.com/ ", "slashes": "://", "backslashes": `http:\a`, "holes": "://${", "users": "http://a@",
	"dots": "a.", "colons": ":", "percent": "%25", "ampersands": "&a", "letters": "a", "wide": "ｅ", "quotes": `a'`, "schemes": "http:", "numbers": "1.", "brackets": "://[",
	"commas": "://a,", "ideographs": "界",
	"long": "https://" + strings.Repeat("a.", 2000) + " ", "labels": "https://" + strings.Repeat("界", 250) + "/ ",
}

func BenchmarkHostIn(b *testing.B) {
	set := hostSet(b, "evil.example", "*.evil.example", "10.0.0.1")
	for name, piece := range costly {
		for _, size := range []int{1 << 10, 1 << 20, 8 << 20} {
			text := strings.Repeat(piece, size/len(piece))
			b.Run(name+"/"+map[int]string{1 << 10: "1KiB", 1 << 20: "1MiB", 8 << 20: "8MiB"}[size], func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					HostIn(text, set)
				}
			})
		}
	}
}
