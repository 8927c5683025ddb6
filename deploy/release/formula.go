package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"text/template"
)

//go:embed formula.rb.tmpl
var formulaText string

func runFormula(flags *flag.FlagSet, args []string) error {
	r, out, err := openDist(flags, args)
	if err != nil {
		return err
	}
	data, err := formula(r)
	if err != nil {
		return err
	}
	return save(out, data)
}

// formula writes the formula with the sums of the archives that it downloads.
func formula(r *release) ([]byte, error) {
	type download struct{ URL, Sum string }
	downloads := map[string]download{}
	for _, a := range r.Archives {
		sum, err := sumOf(a.Path)
		if err != nil {
			return nil, err
		}
		downloads[a.OS+"_"+a.Arch] = download{home + "/releases/download/v" + r.Version + "/" + a.Name, sum}
	}
	for _, platform := range []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64"} {
		if downloads[platform].Sum == "" {
			return nil, fmt.Errorf("there is no archive for %s; the formula needs one", platform)
		}
	}
	text, err := template.New("").Option("missingkey=error").Parse(formulaText)
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	err = text.Execute(&buf, map[string]any{"Version": r.Version, "Home": home, "Summary": summary, "Downloads": downloads})
	return buf.Bytes(), err
}
