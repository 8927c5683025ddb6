package service

import (
	"fmt"
	"path/filepath"
	"strings"
)

// taskPlan is for Windows: a task of the Task Scheduler that starts at the login of the person, or with the machine.
func taskPlan(s Spec, folder string) plan {
	file, log := filepath.Join(folder, "service.xml"), filepath.Join(s.StateDir, "service.log")
	return plan{
		manager: "the Task Scheduler", file: file, text: taskXML(s, log), mode: 0o600,
		start: []command{
			{"schtasks", "/Create", "/TN", Name, "/XML", file, "/F"},
			{"schtasks", "/Run", "/TN", Name},
		},
		restart: []command{{"schtasks", "/End", "/TN", Name}, {"schtasks", "/Run", "/TN", Name}},
		stop:    []command{{"schtasks", "/End", "/TN", Name}},
		gone:    []command{{"schtasks", "/End", "/TN", Name}, {"schtasks", "/Delete", "/TN", Name, "/F"}},
		state:   command{"schtasks", "/Query", "/TN", Name, "/FO", "LIST", "/V"},
		parse:   taskState,
		logs: func(lines int, follow bool) command {
			read := fmt.Sprintf("Get-Content -LiteralPath '%s' -Tail %d", strings.ReplaceAll(log, "'", "''"), lines)
			if follow {
				read += " -Wait"
			}
			return command{"powershell", "-NoProfile", "-Command", read}
		},
	}
}

func taskXML(s Spec, log string) string {
	trigger, principal := "LogonTrigger", `<LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel>`
	if s.System {
		trigger, principal = "BootTrigger", `<UserId>S-1-5-19</UserId>` // the local service account, which has few rights
	}
	words := make([]string, 0, len(s.Args)+1)
	for _, w := range append([]string{s.Program}, s.Args...) {
		words = append(words, `"`+strings.ReplaceAll(w, `"`, `\"`)+`"`)
	}
	var sets strings.Builder
	for _, v := range s.Environment {
		fmt.Fprintf(&sets, `set "%s" && `, v)
	}
	// The scheduler keeps no output, so that cmd writes it to a file.
	line := fmt.Sprintf(`/d /s /c "%s%s >> "%s" 2>&1"`, sets.String(), strings.Join(words, " "), log)
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<!-- Written by weir service install, weir %s. weir service uninstall removes it. -->
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>weir, a firewall for the tool calls of AI agents</Description></RegistrationInfo>
  <Triggers><%s><Enabled>true</Enabled></%[2]s></Triggers>
  <Principals><Principal id="weir">%s</Principal></Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>255</Count></RestartOnFailure>
  </Settings>
  <Actions Context="weir"><Exec><Command>cmd.exe</Command><Arguments>%s</Arguments></Exec></Actions>
</Task>
`, strings.ReplaceAll(s.Version, "--", "-"), trigger, principal, xmlText(line))
}

// taskState reads what schtasks says: lines such as "Status: Running".
func taskState(said string) (st State) {
	for line := range strings.Lines(said) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch value = strings.TrimSpace(value); name {
		case "Status":
			st.Says = value
		case "Last Run Time":
			st.Since = value
		}
	}
	if st.Running = st.Says == "Running"; !st.Running {
		st.Since = ""
	}
	return st
}
