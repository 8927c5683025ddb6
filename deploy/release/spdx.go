package main

import (
	"cmp"
	"crypto/sha1" // SPDX demands it for the code of a package; nothing is trusted by it
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"time"
)

// The parts of an SPDX 2.3 document that are used.
type (
	spdxDocument struct {
		Version       string             `json:"spdxVersion"`
		License       string             `json:"dataLicense"`
		ID            string             `json:"SPDXID"`
		Name          string             `json:"name"`
		Namespace     string             `json:"documentNamespace"`
		Creation      spdxCreation       `json:"creationInfo"`
		Packages      []spdxPackage      `json:"packages"`
		Files         []spdxFile         `json:"files"`
		Relationships []spdxRelationship `json:"relationships"`
	}
	spdxCreation struct {
		Created  string   `json:"created"`
		Creators []string `json:"creators"`
	}
	spdxPackage struct {
		ID            string    `json:"SPDXID"`
		Name          string    `json:"name"`
		Version       string    `json:"versionInfo"`
		Location      string    `json:"downloadLocation"`
		FilesAnalyzed bool      `json:"filesAnalyzed"`
		Concluded     string    `json:"licenseConcluded"`
		Declared      string    `json:"licenseDeclared"`
		Copyright     string    `json:"copyrightText"`
		Source        string    `json:"sourceInfo,omitempty"`
		Refs          []spdxRef `json:"externalRefs,omitempty"`
	}
	spdxRef struct {
		Category string `json:"referenceCategory"`
		Type     string `json:"referenceType"`
		Locator  string `json:"referenceLocator"`
	}
	spdxFile struct {
		ID        string         `json:"SPDXID"`
		Name      string         `json:"fileName"`
		Checksums []spdxChecksum `json:"checksums"`
		Concluded string         `json:"licenseConcluded"`
		Copyright string         `json:"copyrightText"`
	}
	spdxChecksum struct {
		Algorithm string `json:"algorithm"`
		Value     string `json:"checksumValue"`
	}
	spdxRelationship struct {
		Element string `json:"spdxElementId"`
		Type    string `json:"relationshipType"`
		Related string `json:"relatedSpdxElement"`
	}
)

const unasserted = "NOASSERTION"

func runSPDX(flags *flag.FlagSet, args []string) error {
	args, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(args) != 2 {
		return fmt.Errorf("give a binary and the document to write")
	}
	doc, err := describe(args[0], strings.TrimSuffix(filepath.Base(args[1]), ".spdx.json"))
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	return save(args[1], append(text, '\n'))
}

// describe writes a document about a binary, from what Go stored in it and from nothing else.
func describe(path, name string) (*spdxDocument, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; is it a Go program?", path, err)
	}
	at, err := commitTime(path)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	sum, err := sumOf(path)
	if err != nil {
		return nil, err
	}
	old := sha1.Sum(data)
	weir := spdxModule(&info.Main)
	weir.Declared, weir.Location = "Apache-2.0", home
	goes := spdxPackage{
		ID: "SPDXRef-Package-go", Name: "go", Version: strings.TrimPrefix(info.GoVersion, "go"), Location: unasserted, Concluded: unasserted,
		Declared: "BSD-3-Clause", Copyright: unasserted, Source: "the standard library and runtime",
		Refs: []spdxRef{{"PACKAGE-MANAGER", "purl", "pkg:golang/stdlib@" + strings.TrimPrefix(info.GoVersion, "go")}},
	}
	doc := &spdxDocument{
		Version: "SPDX-2.3", License: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: name,
		// The name must belong to this document alone: the sum of the binary does.
		Namespace: home + "/spdx/" + name + "-" + sum,
		Creation:  spdxCreation{Created: at.UTC().Format(time.RFC3339), Creators: []string{"Tool: weir-release"}},
		Packages:  []spdxPackage{weir, goes},
		Files: []spdxFile{{
			ID: "SPDXRef-File-weir", Name: "./" + filepath.Base(path), Concluded: unasserted, Copyright: unasserted,
			Checksums: []spdxChecksum{{"SHA1", hex.EncodeToString(old[:])}, {"SHA256", sum}},
		}},
		Relationships: []spdxRelationship{
			{"SPDXRef-DOCUMENT", "DESCRIBES", weir.ID},
			{"SPDXRef-File-weir", "GENERATED_FROM", weir.ID},
			{weir.ID, "DEPENDS_ON", goes.ID},
		},
	}
	for _, dep := range info.Deps {
		p := spdxModule(dep)
		doc.Packages = append(doc.Packages, p)
		doc.Relationships = append(doc.Relationships, spdxRelationship{weir.ID, "DEPENDS_ON", p.ID})
	}
	return doc, nil
}

var notInID = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

func spdxModule(m *debug.Module) spdxPackage {
	if m.Replace != nil {
		m = m.Replace
	}
	p := spdxPackage{
		ID: "SPDXRef-Package-" + notInID.ReplaceAllString(m.Path, "-"), Name: m.Path, Version: cmp.Or(m.Version, unasserted),
		Location: unasserted, Concluded: unasserted, Declared: unasserted, Copyright: unasserted,
		Refs: []spdxRef{{"PACKAGE-MANAGER", "purl", "pkg:golang/" + m.Path + "@" + m.Version}},
	}
	if m.Sum != "" {
		p.Source = "go.sum " + m.Sum
	}
	return p
}
