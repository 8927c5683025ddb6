package main

import (
	"cmp"
	"debug/buildinfo"
	"debug/elf"
	"errors"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

func runSize(flags *flag.FlagSet, args []string) error {
	paths, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(paths) != 1 {
		return errors.New("give one binary of Linux, built without -s")
	}
	shares, err := sharesOf(paths[0])
	if err != nil {
		return fmt.Errorf("%s: %w", paths[0], err)
	}
	fmt.Println("| part | MB |\n|---|---|")
	for _, s := range shares {
		if s.bytes >= 50_000 {
			fmt.Printf("| %s | %.1f |\n", s.name, float64(s.bytes)/1e6)
		}
	}
	return nil
}

// A share is what one module adds to a binary.
type share struct {
	name  string
	bytes uint64
}

// Names of symbols that belong to a type begin with what the compiler made of it.
var made = regexp.MustCompile(`^(type:|go:itab\.|go:interface\.|\.(eq|hash)\.|\*|\[\]|\[\d+\])+`)

// sharesOf adds up the symbols of each module. Go also keeps tables: where each function is, and what it may call. They grow with the
// code, so every module gets the part of them that its code is of all code.
func sharesOf(path string) ([]share, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return nil, fmt.Errorf("%w; build it without -s", err)
	}
	modules := []string{info.Main.Path}
	for _, dep := range info.Deps {
		modules = append(modules, dep.Path)
	}
	slices.SortFunc(modules, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	code, data := map[string]uint64{}, map[string]uint64{}
	var allCode, loaded uint64
	for _, s := range symbols {
		if int(s.Section) >= len(f.Sections) || elf.ST_TYPE(s.Info) == elf.STT_SECTION {
			continue
		}
		section := f.Sections[s.Section]
		name := moduleOf(s.Name, modules)
		switch {
		case section.Type == elf.SHT_NOBITS || strings.HasPrefix(section.Name, ".debug"):
		case section.Name == ".text":
			code[name] += s.Size
			allCode += s.Size
		default:
			data[name] += s.Size
		}
	}
	var known uint64
	for _, n := range data {
		known += n
	}
	for _, s := range f.Sections {
		if s.Type != elf.SHT_NOBITS && s.Flags&elf.SHF_ALLOC != 0 {
			loaded += s.FileSize
		}
	}
	tables := loaded - min(loaded, allCode+known)
	var all []share
	for name, n := range code {
		all = append(all, share{name, n + data[name] + uint64(float64(tables)*float64(n)/float64(allCode))})
	}
	slices.SortFunc(all, func(a, b share) int { return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.name, b.name)) })
	return append(all, share{"all, stripped", loaded}), nil
}

// moduleOf returns the module that a symbol is of. modules begins with the longest name.
func moduleOf(symbol string, modules []string) string {
	name := made.ReplaceAllString(strings.ReplaceAll(symbol, "%2e", "."), "")
	for _, m := range modules {
		if rest, ok := strings.CutPrefix(name, m); ok && rest != "" && strings.ContainsRune("./", rune(rest[0])) {
			return m
		}
	}
	return "Go itself: runtime, standard library"
}
