package policycmd

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/jsonout"
	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/study"
	"github.com/weir-gate/weir/internal/text/inert"
	"github.com/weir-gate/weir/internal/text/when"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

func newTest() *cobra.Command {
	var f inuse.PolicyFlags
	var junit string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "test CASES...",
		Short: "Test a policy with files of cases",
		Long: `test decides every case and compares the decision with the expected one. The exit code is 1 if one differs, so it can run
in CI. This is a file with three cases:

  cases:
    - name: no recursive removal of the root
      tool: Bash
      args: {command: "rm -rf /"}
      expect: deny
    - name: keys do not leave
      server: mail
      tool: send
      args: {body: "my key is AKIAIOSFODNN7EXAMPLE"}
      expect: sanitize
      sanitized: {body: "my key is [redacted:aws_access_key]"}
    - name: no way to the metadata service
      surface: egress
      args: {address: 169.254.169.254, port: 80}
      expect: deny`,
		Example: `  weir policy test cases.yaml --policy policy.yaml
  weir policy test shell.yaml files.yaml --junit report.xml`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			suites, err := readCases(args)
			if err != nil {
				return exit.WrongInput(err)
			}
			p, _, err := f.Load()
			if err != nil {
				return err
			}
			for i := range suites {
				suites[i].results = runCases(p, suites[i].cases)
			}
			if junit != "" {
				if err := writeJUnit(junit, suites); err != nil {
					return err
				}
			}
			if asJSON {
				return printResultsJSON(cmd, suites)
			}
			return printResults(cmd, suites)
		},
	}
	f.Register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line, one for each case")
	cmd.Flags().StringVar(&junit, "junit", "", "also write a JUnit XML report to this file")
	return cmd
}

// runCases decides cases as weir would: inner calls in the arguments can refuse a call, too.
func runCases(p *policy.Policy, cases []study.Case) []study.CaseResult {
	weir := newForesight(p)
	cases = slices.Clone(cases)
	for i := range cases {
		if c := &cases[i]; !c.At.Known() {
			c.At = when.At(time.Now())
		}
		cases[i].Project = cmp.Or(cases[i].Project, workingProject())
	}
	results := study.RunCases(p, cases)
	for i, r := range results {
		if c := r.Case; !r.Decision.Refused() && c.Surface != call.Egress {
			asked := call.Call{Surface: c.Surface, Actor: c.Actor, Server: c.Server, Tool: c.Tool, Args: c.Arguments(), Known: c.Known}
			asked.Folder = c.Project
			asked.Exchange.Model, weir.at = c.Model, c.At.Time()
			if c.Surface == call.MCP && policy.IsMethod(c.Tool) {
				asked.MCP.Method = c.Tool
			}
			e := weir.rule(asked)[0]
			if e.Blocked {
				results[i] = study.Overruled(p, r, policy.Decision{Verdict: policy.Deny, Code: e.Code, Rule: e.Rule, Reason: e.Reason})
			}
		}
	}
	return results
}

// A suite is a file of cases, with their results.
type suite struct {
	file    string
	cases   []study.Case
	results []study.CaseResult
}

func (s suite) failed() (n int) {
	for _, r := range s.results {
		if !r.Passed() {
			n++
		}
	}
	return n
}

// readCases reads all files, and reports the problems of all of them.
func readCases(files []string) ([]suite, error) {
	var suites []suite
	var problems yamlfile.Problems
	for _, file := range files {
		data, err := yamlfile.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read cases: %w", err)
		}
		cases, err := study.ParseCases(file, data)
		if found, ok := errors.AsType[yamlfile.Problems](err); ok {
			problems = append(problems, found...)
		} else if err != nil {
			return nil, fmt.Errorf("read cases: %s: %w", file, err)
		}
		suites = append(suites, suite{file: file, cases: cases})
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return suites, nil
}

func printResults(cmd *cobra.Command, suites []suite) error {
	out := cmd.OutOrStdout()
	passed, failed := 0, 0
	for _, s := range suites {
		for _, r := range s.results {
			if r.Passed() {
				fmt.Fprintf(out, "ok    %s\n", inert.Text(r.Case.Name, 120))
				continue
			}
			fmt.Fprintf(out, "FAIL  %s (%s:%d): %s\n", inert.Text(r.Case.Name, 120), s.file, r.Case.Line, inert.Text(r.Problem, 300))
		}
		failed += s.failed()
		passed += len(s.results) - s.failed()
	}
	fmt.Fprintf(out, "%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		return exit.With(exit.Failed, exit.ErrSilent)
	}
	return nil
}

// A caseLine is the result of a case as JSON.
type caseLine struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Name    string `json:"name"`
	Passed  bool   `json:"passed"`
	Verdict string `json:"verdict"`
	Rule    string `json:"rule,omitzero"`
	Problem string `json:"problem,omitzero"`
}

func printResultsJSON(cmd *cobra.Command, suites []suite) error {
	var all []caseLine
	failed := 0
	for _, s := range suites {
		failed += s.failed()
		for _, r := range s.results {
			all = append(all, caseLine{
				File: s.file, Line: r.Case.Line, Name: r.Case.Name, Passed: r.Passed(), Verdict: string(r.Decision.Verdict), Rule: r.Decision.Rule,
				Problem: r.Problem,
			})
		}
	}
	if err := jsonout.PrintLines(cmd.OutOrStdout(), all); err != nil {
		return err
	}
	if failed > 0 {
		return exit.With(exit.Failed, exit.ErrSilent)
	}
	return nil
}

// The form of a JUnit report for CI systems.
type (
	junitReport struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr"`
		Line    int           `xml:"line,attr"`
		Failure *junitFailure `xml:"failure"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

func writeJUnit(path string, suites []suite) error {
	report := junitReport{Name: "weir policy test"}
	for _, s := range suites {
		js := junitSuite{Name: s.file, Tests: len(s.results), Failures: s.failed()}
		for _, r := range s.results {
			c := junitCase{Name: inert.Text(r.Case.Name, 300), Class: s.file, File: s.file, Line: r.Case.Line}
			if !r.Passed() {
				problem := inert.Text(r.Problem, 4000)
				c.Failure = &junitFailure{Message: problem, Text: fmt.Sprintf("%s:%d: %s", s.file, r.Case.Line, problem)}
			}
			js.Cases = append(js.Cases, c)
		}
		report.Tests += js.Tests
		report.Failures += js.Failures
		report.Suites = append(report.Suites, js)
	}
	text, err := xml.MarshalIndent(report, "", "  ")
	if err != nil {
		return fmt.Errorf("write the JUnit report: %w", err)
	}
	text = append([]byte(xml.Header), append(text, '\n')...)
	if err := os.WriteFile(path, text, 0o644); err != nil { // other programs must be able to read a report
		return fmt.Errorf("write the JUnit report: %w", err)
	}
	return nil
}
