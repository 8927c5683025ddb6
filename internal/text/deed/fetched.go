package deed

import (
	"path"
	"strings"

	"github.com/weir-gate/weir/internal/text/address"
	"github.com/weir-gate/weir/internal/text/truth"
)

// decodedEnd stands for a text that was decoded in the call, which no rule can read.
var decodedEnd = end{host: address.Host{Name: "decoded"}}

// fetchedBy says where code comes from that a line runs; nil: it runs none that is known to come from elsewhere.
func (f *finder) fetchedBy(i int, l *line) ([]end, truth.Value) {
	if from := f.downloaded(i, l); from != nil {
		return from, truth.Yes
	}
	if from := f.fed(l); from != nil {
		return from, truth.Yes
	}
	name := strings.TrimRight(l.name, "0123456789.-")
	isShell, isInterpreter := shells[l.name], interpreters[name] && name != "awk" && name != "gawk" && name != "mawk"
	if !isShell && !isInterpreter {
		return nil, truth.No
	}
	if l.hidesCode() {
		return []end{decodedEnd}, truth.Maybe
	}
	code := l.code(isShell)
	var from []end
	seen := map[int]bool{}
	if code.input {
		from = f.origins(l.c.InputFrom, seen)
	}
	if code.word {
		from = append(from, f.origins(l.c.WordsFrom, seen)...)
	}
	switch {
	case from != nil:
		return from, truth.Yes
	case l.name == "iex" || l.name == "invoke-expression":
		if from := f.anyFetched(len(f.lines)); from != nil || f.sawClient {
			return from, truth.Maybe
		}
		f.sawClient = true // once is enough
		return f.webClients(), truth.Maybe
	case code.unknown && len(l.c.WordsFrom) == 0:
		return f.anyFetched(i), truth.Maybe
	}
	return nil, truth.No
}

// webClients stands for the hosts of the objects by which PowerShell fetches texts.
func (f *finder) webClients() []end {
	for i := range f.commands {
		for _, w := range f.commands[i].Words[:min(2, len(f.commands[i].Words))] {
			if containsAny(strings.ToLower(w.Text), "webclient", "downloadstring", "downloaddata", "webrequest", "httpclient") {
				return []end{{host: address.Host{Name: "*", Partial: true}}}
			}
		}
	}
	return nil
}

// code says where the code of an interpreter comes from.
type code struct {
	input   bool // from its input
	word    bool // from a word
	unknown bool // that begins with an unknown part
}

func (l *line) code(isShell bool) (out code) {
	if l.name == "eval" || l.name == "iex" || l.name == "invoke-expression" {
		for _, it := range l.items {
			out.unknown = out.unknown || !it.word.Known && isHole(it.word.Text, 0)
		}
		out.input, out.word = len(l.items) == 0, true
		return out
	}
	for i, it := range l.items {
		text := it.word.Text
		switch {
		case it.option && len(text) > 1 && text[1] != '-' && strings.ContainsAny(text, "ceEr") && i+1 < len(l.items):
			next := l.items[i+1].word
			return code{word: true, unknown: !next.Known && next.Text != "" && isHole(next.Text, 0)}
		case it.option && (text == "-s" || isShell && !strings.HasPrefix(text, "--") && strings.Contains(text, "s")):
			return code{input: true}
		case it.option && text == "-m":
			return code{}
		case !it.option:
			return code{
				input: text == "-" || text == "/dev/stdin",
				word:  strings.HasPrefix(text, "/dev/fd/") || !it.word.Known && isHole(text, 0),
			}
		}
	}
	return code{input: l.name != "source" && l.name != "."}
}

// hidesCode reports code that is given encoded.
func (l *line) hidesCode() bool {
	for _, it := range l.items {
		if it.option && isEncoded(l.name, it.word.Text) {
			return true
		}
	}
	return false
}

// isEncoded reports the option by which PowerShell takes its code encoded.
func isEncoded(name, option string) bool {
	if name != "powershell" && name != "pwsh" || len(option) < 2 {
		return false
	}
	text := strings.ToLower(strings.TrimLeft(option, "-/"))
	return text == "e" || text == "ec" || text == "en" || len(text) > 2 && strings.HasPrefix("encodedcommand", text)
}

func containsAny(text string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// origins are where the output of commands comes from, if that is the network or a decoder.
func (f *finder) origins(from []int, seen map[int]bool) (out []end) {
	for _, i := range from {
		if seen[i] || !f.spend() {
			continue
		}
		seen[i] = true
		out = append(out, f.origin(i)...)
		out = append(out, f.origins(sourcesOf(&f.commands[i]), seen)...)
	}
	return out
}

// origin is where the output of one command comes from.
func (f *finder) origin(i int) (out []end) {
	l := f.lines[i]
	switch {
	case l == nil:
	case fetchers[l.name]:
		for _, e := range l.ends {
			if !e.local() || e.listens {
				out = append(out, e)
			}
		}
	}
	if len(out) == 0 && l != nil && l.decodes() {
		out = append(out, decodedEnd)
	}
	return out
}

// decodes reports a line that outputs a text that it decoded.
func (l *line) decodes() bool {
	if strings.HasPrefix(l.name, "python") && len(l.items) > 2 && l.items[0].word.Text == "-m" {
		return l.items[1].word.Text == "base64" && l.items[2].word.Text == "-d"
	}
	if !decoders[l.name] {
		return false
	}
	switch l.name {
	case "base64", "base32", "basenc", "openssl", "gpg", "gzip", "pigz", "bzip2", "xz", "zstd", "lz4", "brotli":
		return l.has("-d", "-D", "--decode", "--decrypt", "--decompress", "--uncompress") == truth.Yes
	case "xxd":
		return l.has("-r", "-revert") == truth.Yes
	case "certutil":
		return l.has("-decode", "-decodehex") == truth.Yes
	}
	return true
}

// A fetched is a command that fetches or decodes something.
type fetched struct {
	at   int
	from []end
}

// allFetched are the first commands that fetch or decode something. They are found once.
func (f *finder) allFetched() []fetched {
	const most = 16
	if f.fetches == nil {
		f.fetches = []fetched{}
		for i := range f.lines {
			if from := f.origin(i); len(from) > 0 && len(f.fetches) < most {
				f.fetches = append(f.fetches, fetched{i, from})
			}
		}
	}
	return f.fetches
}

// anyFetched are the hosts of the commands before i that fetch something.
func (f *finder) anyFetched(i int) (out []end) {
	for _, from := range f.allFetched() {
		if from.at < i {
			out = append(out, from.from...)
		}
	}
	return out
}

// downloaded says from where a file comes that the line runs, if a command before it wrote the file.
func (f *finder) downloaded(i int, l *line) (out []end) {
	var names []string
	if file := fileName(l.c.Path.Text); !holed(file) && (file != l.c.Path.Text || runsAsNamed(file)) {
		names = append(names, file)
	}
	name := strings.TrimRight(l.name, "0123456789.-")
	files := l.first()
	if runners[l.name] || installers()[l.name] != nil {
		files = l.operands()
	}
	if shells[l.name] || interpreters[name] || runners[l.name] || installers()[l.name] != nil {
		for _, w := range files {
			if file := fileName(w.Text); file != "" && !holed(file) {
				names = append(names, file)
			}
		}
	}
	if len(names) == 0 || len(f.allFetched()) == 0 {
		return nil
	}
	for _, name := range names {
		for _, j := range f.writers()[name] {
			if j == i {
				continue
			}
			out = append(out, f.origin(j)...)
			out = append(out, f.origins(sourcesOf(&f.commands[j]), map[int]bool{})...)
		}
	}
	return out
}

// fed says from where the input of a program comes that runs what it is given there, or a file that stands for it.
func (f *finder) fed(l *line) []end {
	if !feeders[l.name] {
		return nil
	}
	seen := map[int]bool{}
	for _, it := range l.items {
		switch text := it.word.Text; {
		case strings.HasPrefix(text, "/dev/fd/"):
			if from := f.origins(l.c.WordsFrom, seen); from != nil {
				return from
			}
		case text == "-" || text == "-f-" || text == "/dev/stdin" || text == "load" || text == "--filename=-":
			if from := f.origins(l.c.InputFrom, seen); from != nil {
				return from
			}
		}
	}
	return nil
}

// feeders are programs that run, install or apply what they get as input.
var feeders = wordSet(`docker podman nerdctl kubectl oc helm dpkg rpm apt apt-get dnf yum crontab at batch pip pip3 uv ansible-playbook
	conda psql mysql`)

// runners are further programs that run the files in their operands.
var runners = wordSet(`open start installer dpkg rpm msiexec java exec start-process saps invoke-item ii call cscript wscript mshta
	rundll32 regsvr32 explorer add-appxpackage import-module ipmo`)

// fileName is the last part of a path with either kind of slash.
func fileName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// runsAsNamed reports a file that cmd runs from the current folder.
func runsAsNamed(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".exe", ".bat", ".cmd", ".com", ".ps1", ".vbs", ".msi", ".hta", ".scr":
		return true
	}
	return false
}
