package yamlfile

// maxSuggestable is the length above which a word is no typing mistake.
const maxSuggestable = 40

// Suggest returns how to fix an unknown word: use the nearest known word, or do something else.
func Suggest(word string, known []string, otherwise string) string {
	if near := nearest(word, known); near != "" {
		return "did you mean " + near + "?"
	}
	return otherwise
}

// nearest is the known word that a word may be a typing mistake of; "": none.
func nearest(word string, known []string) (found string) {
	best := 3
	for _, k := range known {
		if len(word) > maxSuggestable {
			break
		}
		if d := distance(word, k); d < best && d < len(k) {
			best, found = d, k
		}
	}
	return found
}

// suggest returns how to fix an unknown word: use the nearest known word, or one of all known words, which follow list.
func suggest(word string, known []string, list string) string {
	switch near := nearest(word, known); {
	case near != "":
		return "did you mean " + near + "?"
	case len(known) > 0:
		return list + OneOf(known)
	default:
		return "remove it"
	}
}

// distance counts the bytes to insert, remove or replace to turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
