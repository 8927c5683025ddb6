package registry

import "strings"

// lookalikes are, for each letter of ASCII, others that look like it in common typefaces. Names are folded before, so that there
// are no capitals, no wide or styled letters, and no accents here.
var lookalikes = map[string]string{
	"a": "аɑα",
	"b": "ьƅвβ",
	"c": "сᴄ",
	"d": "ԁɗժ",
	"e": "еҽєɛε℮",
	"f": "ƒϝք",
	"g": "ɡցԍ",
	"h": "һհн",
	"i": "іıιɩӏ1l|ǀ!",
	"j": "јϳ",
	"k": "κкᴋ",
	"m": "мᴍ",
	"n": "ոռпη",
	"o": "оοօ0σഠ๐໐ଠ০୦ᴏჿ",
	"p": "рρƿ",
	"q": "ԛգզ",
	"r": "гᴦʀꭇ",
	"s": "ѕꜱƽ5ʂ",
	"t": "тτᴛŧ",
	"u": "υսᴜʋцμ",
	"v": "ѵνᴠט",
	"w": "ԝաᴡѡω",
	"x": "хχ×",
	"y": "уγүყʏ",
	"z": "ᴢʐ2",
	"-": "‐‒–—−ー",
	"_": "ˍ",
}

// confusable gives the text that a character looks like. Letters of two shapes that are hard to tell apart, such as i, l and 1, are
// all the first of them.
var confusable = func() map[rune]string {
	out := map[rune]string{}
	for as, others := range lookalikes {
		for _, r := range others {
			out[r] = as
		}
	}
	return out
}()

// The capitals of Greek that look like those of other letters of ASCII than they do when they are small, and those letters.
const (
	greekCapitals = "ΗΝΥ"
	asciiCapitals = "HNY"
)

func asCapital(r rune) rune {
	if at := strings.IndexRune(greekCapitals, r); at >= 0 {
		return rune(asciiCapitals[at/len("Η")])
	}
	return r
}
