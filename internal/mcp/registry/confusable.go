package registry

import "strings"

// lookalikes are, for each letter of ASCII, others that look like it in common typefaces. Names are folded before, so that there
// are no capitals, no wide or styled letters, and no accents here.
var lookalikes = map[string]string{
	"a": "аɑαᴀⲁꓮᎪᗅ",
	"b": "ьƅвβʙƀҍѣⲃꓐᏴᏏᗷᛒ",
	"c": "сᴄҫȼⲥꓚᏟᑕϲ",
	"d": "ԁɗժᴅđꓓᎠᏧᗪᗞ",
	"e": "еҽєɛε℮ᴇɇⲉꓰᎬ",
	"f": "ƒϝքꜰғꓝ",
	"g": "ɡցԍɢǥꓖᏀ",
	"h": "һհнʜħҥңӊⲏꓧᎻᏂᕼ",
	"i": "іıιɩӏ1l|ǀ!ɪɨⲓꓲᎥłƚʟꓡᏞᒪլוןا١ⵏᛁߊ",
	"j": "јϳᴊȷɉյꓙᎫᒍ",
	"k": "κкᴋƙқҝҟԟⲕꓗᏦᛕ",
	"m": "мᴍɱⲙꓟᎷᗰᛖ",
	"n": "ոռпηɴɲŋղⲛꓠ",
	"o": "оοօ0σഠ๐໐ଠ০୦ᴏჿøɵөⲟꓳᎾסه०੦౦೦൦ဝ၀߀ⵔ𐐬",
	"p": "рρƿᴘƥⲣꓑᏢᑭ",
	"q": "ԛգզꞯʠ",
	"r": "гᴦʀꭇɍɾꓣᎡᏒᖇᚱ",
	"s": "ѕꜱƽ5ʂꓢᏚᏕ𐑈",
	"t": "тτᴛŧƭʈⲧꓔᎢ",
	"u": "υսᴜʋцμʉꓴᑌ",
	"v": "ѵνᴠטꓦᏙᐯ",
	"w": "ԝաᴡѡωꓪᎳᏔ",
	"x": "хχ×ҳⲭꓫ᙭ᚷ",
	"y": "уγүყʏұɏƴⲩꓬᎽ",
	"z": "ᴢʐ2ƶȥζꓜᏃ",
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
	greekCapitals = "ΗΝΥΜ"
	asciiCapitals = "HNYM"
)

func asCapital(r rune) rune {
	if at := strings.IndexRune(greekCapitals, r); at >= 0 {
		return rune(asciiCapitals[at/len("Η")])
	}
	return r
}
