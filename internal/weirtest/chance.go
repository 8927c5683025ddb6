package weirtest

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
)

// chance finds the ids that weir invents.
var chance = regexp.MustCompile(`(req_|call_|apr_|gr_)[0-9a-v]{24}|(msg_weir_|call_weir_|chatcmpl-weir-|resp_weir_)[A-Z2-7]{26}`)

// inventedResponse begins the id of a response that weir made up.
const inventedResponse = "resp_weir_"

// withoutChance names invented ids alike in every run.
func withoutChance(body []byte) []byte { return chance.ReplaceAll(body, []byte("${1}${2}ID")) }

// withoutChance is the reply's body with invented ids named alike. In a binary stream that changes lengths and checksums, so
// it is written anew; what is wrong with it stays wrong.
func (r reply) withoutChance() []byte {
	if f := r.form(); f == parcels {
		return bodyOf(withoutChance(textOf(r.body, f)), f)
	}
	return withoutChance(r.body)
}

// invented finds the ids of responses that weir made up.
var invented = regexp.MustCompile(inventedResponse + `[A-Z2-7]{26}`)

// withChance puts the last invented id of a response that is in bodies where text has the name that all of them have.
func withChance(text []byte, bodies [][]byte) ([]byte, error) {
	name := []byte(inventedResponse + "ID")
	if !bytes.Contains(text, name) {
		return text, nil
	}
	for _, body := range slices.Backward(bodies) {
		if id := invented.Find(body); id != nil {
			return bytes.ReplaceAll(text, name, id), nil
		}
	}
	return nil, errors.New("the request names a response that weir made up, and there was none")
}
