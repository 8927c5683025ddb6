package condition

import (
	"path"
	"strings"

	"github.com/weir-gate/weir/internal/policy/argument"
	"github.com/weir-gate/weir/internal/text/truth"
)

// Project names the folder that a call works for, at the beginning of a place.
const Project = "$project"

// isProject says whether a place is the project's folder, or is in it.
func isProject(place string) bool { return place == Project || strings.HasPrefix(place, Project+"/") }

// someProject stands for the project's folder where places are checked.
const someProject = "/project"

// inProject replaces the project's folder in places. Paths that are relative to the folder where the call runs are in the project, too.
func inProject(places []string, folder string) (out []string) {
	for _, place := range places {
		if !isProject(place) {
			out = append(out, place)
			continue
		}
		below := strings.TrimPrefix(place, Project)
		out = append(out, "."+below, folder+below)
	}
	return out
}

// quoteFolder makes a folder a pattern that matches only itself.
var quoteFolder = strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]")

// QuotePlace makes a path a pattern that matches only this path.
func QuotePlace(path string) string { return quoteFolder.Replace(cleanFolder(path)) }

// A placeStyle says how places are written.
type placeStyle bool

const (
	plainPlaces   placeStyle = false // as folders
	placePatterns placeStyle = true
)

// ofPlaces makes tests from places, which may begin with the project's folder. If the folder is not known, whether a path is in it is in
// doubt, which does not count if it is less than least.
func ofPlaces(
	style placeStyle, least truth.Value, of func(places []string) (typedTest, error),
) func(places []string) (typedTest, error) {
	return func(places []string) (typedTest, error) {
		var others []string
		for _, place := range places {
			if !isProject(place) {
				others = append(others, place)
			}
		}
		if len(others) == len(places) {
			return of(places)
		}
		somewhere, err := of(inProject(places, someProject))
		if err != nil {
			return nil, err
		}
		elsewhere := typedTest(func(*Facts, *argument.Value) answer { return no })
		if len(others) > 0 {
			if elsewhere, err = of(others); err != nil {
				return nil, err
			}
		}
		t := &projectTest{places: places, of: of, style: style, least: least, somewhere: somewhere, elsewhere: elsewhere}
		return t.test, nil
	}
}

// A projectTest is a test of places that begin with the project's folder.
type projectTest struct {
	places    []string
	of        func(places []string) (typedTest, error)
	style     placeStyle
	least     truth.Value
	somewhere typedTest
	elsewhere typedTest // of the other places
}

func (t *projectTest) test(f *Facts, v *argument.Value) answer {
	if f.Project != "" {
		if in, ok := f.inProject(t); ok {
			return in(f, v)
		}
	}
	switch {
	case t.somewhere(f, v) == nothing:
		return nothing
	case t.elsewhere(f, v) == yes:
		return yes
	default:
		return answer{Value: orNo(truth.Maybe, t.least)}
	}
}

// inProject is a test with the folder of the call. It is made once for each call.
func (f *Facts) inProject(t *projectTest) (typedTest, bool) {
	made, ok := f.projects[t]
	if !ok {
		folder := cleanFolder(f.Project)
		if t.style == placePatterns {
			folder = quoteFolder.Replace(folder)
		}
		f.work.spend(pathPerByte * len(folder) * len(t.places))
		made, _ = t.of(inProject(t.places, folder)) // a folder that is no place is not known
		if f.projects == nil {
			f.projects = map[*projectTest]typedTest{}
		}
		f.projects[t] = made
	}
	return made, made != nil
}

// projectFolder is the folder of the call as a pattern of places, if it is known.
func (f *Facts) projectFolder() (string, bool) {
	if f.Project == "" {
		return "", false
	}
	return quoteFolder.Replace(cleanFolder(f.Project)), true
}

func cleanFolder(folder string) string { return path.Clean(strings.ReplaceAll(folder, `\`, "/")) }
