package code

import (
	"net/url"
	"slices"
	"strings"
)

// restorers are the functions that make objects of texts or bytes. What they are given can name functions to call: it is code.
const restorers = `pickle.loads pickle.load cPickle.loads cPickle.load _pickle.loads Unpickler().load pickle.Unpickler().load
	dill.loads dill.load cloudpickle.loads cloudpickle.load joblib.load torch.load marshal.loads marshal.load jsonpickle.decode
	jsonpickle.loads yaml.load yaml.load_all yaml.unsafe_load yaml.unsafe_load_all yaml.full_load pd.read_pickle pandas.read_pickle
	shelve.open Marshal.load Marshal.restore YAML.load YAML.unsafe_load Psych.load Psych.unsafe_load Oj.load =unserialize
	serialize.unserialize node-serialize.unserialize ObjectInputStream().readObject XMLDecoder().readObject XStream().fromXML
	BinaryFormatter().Deserialize Storable.thaw =thaw`

// objectMarks are what texts have that name a function to call.
var objectMarks = []string{"!!python/", "!python/", "!ruby/", "!!javax.", "py/object", "py/reduce", "_$$ND_FUNC$$_", "^o\":"}

// restores reads such functions. A file of the project is data that people made; what was decoded, fetched or printed in the same code
// is not, and neither are bytes that are written in it.
func restores(e *evaluator, c invocation) value {
	data := c.first("data", "stream", "str", "file")
	if c.on != nil && len(c.on.made) > 0 && !data.known() && data.names == nil {
		data = c.on.made[0].value
	}
	from := data.whole().with(c.taint())
	if c.on != nil {
		from = from.with(c.on.whole())
	}
	from.files = nil
	for _, line := range data.texts {
		from.decoded = from.decoded || isObject(line)
	}
	if from.decoded {
		e.runShells(data)
	}
	e.runUnknown(from)
	return value{texts: []string{Unknown}, taint: from}
}

// isObject reports a text that calls functions when it is made an object.
func isObject(line string) bool {
	if slices.ContainsFunc(objectMarks, func(mark string) bool { return strings.Contains(line, mark) }) {
		return true
	}
	return len(line) > 2 && line[0] == 'c' && strings.HasSuffix(line, ".") && strings.Count(line, "\n") > 1 // as pickle writes a call
}

// runShells notes the commands that are quoted in the text of an object.
func (e *evaluator) runShells(data value) {
	for _, line := range data.texts {
		for _, found := range quotedInside.FindAllStringSubmatch(line, maxGuesses) {
			e.runShell(text(found[1]))
		}
	}
}

// decodesPercent reads the functions that replace codes such as %20.
func decodesPercent(_ *evaluator, c invocation) value {
	return decoded(c.subjectText(), func(s string) (string, bool) {
		out, err := url.PathUnescape(s)
		if strings.HasSuffix(c.name, "plus") || c.name == "urldecode" || strings.Contains(c.name, "CGI") {
			out, err = url.QueryUnescape(s)
		}
		return out, err == nil
	})
}

// decodesOtherwise reads decoders whose codes are not known here. What has no codes stays as it is.
func decodesOtherwise(_ *evaluator, c invocation) value {
	return decoded(c.subjectText(), func(s string) (string, bool) { return s, !strings.ContainsAny(s, "&=#`%") })
}

// translates reads functions that replace single characters by others: strtr of PHP and tr of Ruby.
func translates(_ *evaluator, c invocation) value {
	subject, args := c.arg(0), c.args
	if c.on != nil && c.on.known() {
		subject = *c.on
	} else if len(args) > 0 {
		args = args[1:]
	}
	if len(args) != 2 || len(args[0].texts) != 1 || len(args[1].texts) != 1 {
		return value{texts: []string{Unknown}, taint: subject.whole()}
	}
	from, to := spread(args[0].texts[0]), spread(args[1].texts[0])
	return decoded(subject, func(s string) (string, bool) { return swapped(s, from, to), !strings.HasPrefix(from, "^") })
}
