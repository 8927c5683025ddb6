package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func runNotes(flags *flag.FlagSet, args []string) error {
	path := flags.String("changelog", "", "file with all changes")
	args, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(args) != 1 {
		return errors.New("give one version")
	}
	text, err := os.ReadFile(*path)
	if err != nil {
		return err
	}
	notes, err := notesOf(string(text), args[0])
	if err != nil {
		return fmt.Errorf("%s: %w", *path, err)
	}
	fmt.Print(notes)
	return nil
}

// notesOf returns what a changelog says about a version. What is not yet a version is under "Unreleased".
func notesOf(changelog, version string) (string, error) {
	version = strings.TrimPrefix(version, "v")
	heading := "## [" + version + "]"
	if strings.Contains(version, "-") {
		heading = "## [Unreleased]"
	}
	_, after, found := strings.Cut("\n"+changelog, "\n"+heading)
	_, after, _ = strings.Cut(after, "\n") // the date
	section, _, _ := strings.Cut("\n"+after, "\n## [")
	if section = strings.TrimSpace(section); !found || section == "" {
		return "", fmt.Errorf("nothing is written under %q; write what changed before you tag %s", heading, version)
	}
	return section + "\n", nil
}

// licenseOf returns the license, which is beside the folder of the release.
func licenseOf(r *release) (file, error) {
	for dir := filepath.Dir(r.Binaries[0].Path); ; dir = filepath.Dir(dir) {
		data, err := os.ReadFile(filepath.Join(dir, "LICENSE"))
		if err == nil {
			return file{name: "LICENSE", mode: 0o644, data: data}, nil
		}
		if dir == filepath.Dir(dir) {
			return file{}, errors.New("there is no LICENSE in a folder above the binaries; -dist must be in the checkout")
		}
	}
}
