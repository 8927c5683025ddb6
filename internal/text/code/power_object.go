package code

import (
	"strings"
)

// powerParameters are the parameters that the body of a function names: { param($a, $b) … }.
func (e *evaluator) powerParameters() []string {
	if !e.sign(0, "{") || e.peek(1).text != "param" || !e.sign(2, "(") {
		return []string{}
	}
	from := e.at + 3
	return parameters(e.tokens[min(from, len(e.tokens)):min(max(from, e.peek(2).end), len(e.tokens))])
}

// powerCalled sets what a function of the text gets: its parameters, and $args.
func (e *evaluator) powerCalled(l powerLine) {
	params, ok := e.functions[l.name]
	if !ok {
		return
	}
	var given value
	for i, word := range l.words[1:] {
		if l.option(i+1) != "" {
			continue
		}
		if len(params) > 0 {
			e.set(params[0], word)
			params = params[1:]
		}
		given = either(given, word)
	}
	e.set("$args", given)
}

// removesItem reads the method by which objects for files, folders and copies of disks remove themselves.
func removesItem(e *evaluator, c invocation) value {
	if c.on == nil {
		return value{}
	}
	if c.on.path {
		e.act([]string{"rm"}, []string{"-rf"}, []string{"--"}, c.on.alternatives())
	}
	for _, name := range c.on.names {
		if strings.Contains(name, "shadowcopy") {
			e.note(Act{Words: []string{"wmic", "shadowcopy", "delete"}})
		}
	}
	return value{}
}

// listsFolder reads the functions that list what is in a folder.
func listsFolder(_ *evaluator, c invocation) value {
	out := value{path: true}
	for _, folder := range c.arg(0).alternatives() {
		below := Run
		if strings.Contains(lower(strings.Join(c.arg(2).texts, "")), "all") { // AllDirectories
			below = Tree
		}
		out.texts = append(out.texts, strings.TrimRight(folder, `/\`)+"/"+below)
	}
	return out
}

// loadsProgram reads the functions that load compiled code: from an address, from what was fetched, or from a file.
func loadsProgram(e *evaluator, c invocation) value {
	source := c.arg(0)
	from := source.whole()
	for _, text := range source.texts {
		if isURL(text) {
			from.nets = more(from.nets, []string{text}, maxTaint)
		}
	}
	e.runUnknown(from)
	return value{}
}

// setsKey reads the function that sets a value of the registry.
func setsKey(e *evaluator, c invocation) value {
	e.act([]string{"reg"}, []string{"add"}, c.arg(0).alternatives(), []string{"/v"}, c.arg(1).alternatives(), []string{"/d"},
		c.arg(2).alternatives())
	return value{}
}

// clearsLog reads the functions that empty a log of events.
func clearsLog(e *evaluator, c invocation) value {
	e.act([]string{"wevtutil"}, []string{"cl"}, c.arg(0).alternatives())
	return value{}
}

// listsPasswords reads the methods of the vault for passwords.
func listsPasswords(e *evaluator, c invocation) value {
	if c.on != nil && strings.Contains(strings.Join(c.on.names, " "), "passwordvault") {
		e.note(Act{Words: []string{"vaultcmd", "/listcreds"}})
	}
	return value{}
}

// findsType reads the search for a type by its name: who looks for the one that scans scripts means to switch it off.
func findsType(e *evaluator, c invocation) value {
	if strings.Contains(strings.ToLower(strings.Join(c.arg(0).texts, " ")), "amsi") {
		e.note(Act{Words: []string{"set-mppreference", "-DisableScriptScanning", "1"}})
	}
	return value{}
}

// powerObject makes an object: New-Object Net.WebClient.
func (e *evaluator) powerObject(l powerLine) value {
	kind := l.subject("typename")
	if c, ok := l.parameter("comobject"); ok {
		kind = c
	}
	var args []argument
	if given, ok := l.parameter("argumentlist"); ok {
		args = []argument{{value: given}}
	}
	if n := len(l.words); n > 2 && args == nil && l.words[n-1].list {
		args = l.words[n-1].items
	}
	if kind.made != nil {
		args = kind.made
	}
	out := value{}
	for _, name := range kind.texts {
		made := e.called(value{names: []string{strings.ToLower(name)}}, args)
		out = either(out, made)
	}
	return out
}

// powerMeanings are the functions of .NET, in lower case.
var powerMeanings = []row{
	{removes, `file.delete io.file.delete fileinfo().delete`},
	{removesTree, `directory.delete io.directory.delete directoryinfo().delete`},
	{reads, `file.readalltext file.readallbytes file.readalllines file.readlines file.opentext file.openread streamreader`},
	{writes, `file.writealltext file.writeallbytes file.writealllines file.appendalltext file.appendalllines file.create file.openwrite
		file.createtext streamwriter`},
	{listsFolder, `directory.getfiles directory.enumeratefiles directory.getdirectories directory.enumeratedirectories
		directory.getfilesystementries directory.enumeratefilesystementries`},
	{removesItem, `.delete`},
	{removes, `.deletefile`},
	{removesTree, `.deletefolder filesystem.deletedirectory`},
	{writes, `.createshortcut`},
	{loadsProgram, `assembly.load assembly.loadfrom assembly.loadfile assembly.unsafeloadfrom`},
	{asksKeyring, `protecteddata.unprotect .retrieveall .retrievepassword .getnetworkcredential`},
	{resolves, `dns.gethostaddresses dns.gethostentry dns.gethostbyname dns.resolve`},
	{setsKey, `registry.setvalue`},
	{setsVariable, `environment.setenvironmentvariable`},
	{clearsLog, `.clearlog eventlog.delete`},
	{listsPasswords, `.retrieveall .retrievepassword`},
	{findsType, `assembly.gettype .gettype`},
	{copies, `file.copy`},
	{moves, `file.move directory.move`},
	{fetches, `webclient().downloadstring webclient().downloaddata webclient().openread webclient().uploadstring webclient().uploadfile
		webclient().uploaddata webclient.new().downloadstring webclient.new().downloaddata webrequest.create httpclient().getstringasync
		httpclient.new().getstringasync httpclient().postasync .downloadstring .downloaddata .uploadstring .uploaddata .getstringasync
		msxml2.xmlhttp().open .openread`},
	{fetchesFile, `webclient().downloadfile webclient.new().downloadfile .downloadfile`},
	{sendsFile, `webclient().uploadfile .uploadfile`},
	{connects, `tcpclient net.sockets.tcpclient sockets.tcpclient tcpclient.new .connect udpclient`},
	{listens, `tcplistener tcplistener.new httplistener().prefixes.add`},
	{evaluates, `scriptblock.create .addscript .invokescript executioncontext.invokecommand.invokescript`},
	{runs, `process.start diagnostics.process.start wscript.shell().run wscript.shell().exec shell.application().shellexecute .shellexecute
		win32_process.create`},
	{decodesBase64, `convert.frombase64string`},
	{encodes, `convert.tobase64string`},
	{makesText, `.getstring .tostring .trim .getbytes string .invoke .readtoend .getstream .getresponse .getresponsestream .result
		.unicode .utf8 .ascii .tochararray`},
	{stopsReceiver, `.kill .terminate`},
	{getsVariable, `environment.getenvironmentvariable`},
	{yieldsHome, `environment.getfolderpath`},
	{joinsPath, `path.combine`},
	{joinsList, `string.join string.concat`},
	{replaces, `.replace`},
	{formats, `string.format`},
	{splits, `.split`},
	{reverses, `array.reverse`},
	{resolves, `dns.gethostaddresses dns.gethostentry`},
}

// fetchesFile reads a request whose result is stored.
func fetchesFile(e *evaluator, c invocation) value {
	e.act([]string{"curl"}, []string{"-o"}, c.arg(1).alternatives(), c.arg(0).alternatives())
	return value{}
}

// stopsReceiver reads the methods of a process that end it.
func stopsReceiver(e *evaluator, c invocation) value {
	if c.on != nil {
		e.act([]string{"stop-process"}, []string{"-Name"}, c.on.alternatives())
	}
	return value{}
}

// sendsFile reads a request that sends a file.
func sendsFile(e *evaluator, c invocation) value {
	file := c.arg(c.count() - 1)
	for _, url := range c.arg(0).alternatives() {
		e.transfer(url, "POST", value{}, true, taint{files: file.alternatives()})
	}
	return value{}
}
