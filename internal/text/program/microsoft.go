package program

import "strings"

// windowsOptions are the parameters of the commands of cmd and PowerShell. A path is a file as an operand is one.
const windowsOptions = `path,literalpath,lp,filepath,target,source: destination,destinationpath,outfile: infile< filter: include:
	exclude: value: encoding: erroraction,ea: itemtype,type: name: totalcount: tail: readcount: stream: width: pattern: context:
	inputobject: variable: uri@ method: body: headers: contenttype: credential: destinationtype: delimiter: first:
	last: head: compressionlevel: update description: displayname: transfertype: priority: recurse r force raw
	wait whatif confirm verbose passthru append noclobber nonewline usebasicparsing asbytestream s q f p e mir purge move mov y i a`

// microsoft are the commands of cmd and PowerShell that use files.
var microsoft = []*Entry{
	windows(classMethods("file", "readalltext readallbytes readalllines readlines opentext openread open"), Files{Single: true}),
	windows(classMethods("file", "writealltext writeallbytes writealllines appendalltext appendalllines create openwrite createtext"),
		Files{Access: Writes, Single: true}),
	windows(classMethods("file", "copy"), Files{Target: true}),
	windows(classMethods("file", "move")+" "+classMethods("directory", "move"), Files{Access: Removes, Target: true, Tree: "*"}),
	windows(classMethods("file", "delete"), Files{Access: Removes, Single: true}),
	windows(classMethods("directory", "delete"), Files{Access: Removes, Single: true, Tree: "*"}),
	windows("remove-item ri del erase", Files{Access: Removes, Tree: "recurse s"}),
	windows("rd", Files{Access: Removes, Tree: "*"}),
	windows("get-content gc type", Files{}),
	windows("select-string sls findstr", Files{Skip: 1}),
	windows("set-content sc add-content ac out-file tee-object", Files{Access: Writes, Single: true}),
	windows("clear-content clc", Files{Access: Removes}),
	windows("new-item ni md", Files{Access: Writes}),
	windows("copy-item cpi copy xcopy", Files{Target: true, Tree: "recurse s e mir"}),
	windows("robocopy", Files{Target: true, Tree: "*"}),
	windows("move-item mi move rename-item rni ren", Files{Access: Removes, Target: true, Tree: "*"}),
	windows("compress-archive", Files{Target: true, Tree: "*"}),
	windows("mklink", Files{Access: Writes, Single: true}),
	windows("certutil", Files{}),
	windows("expand-archive start-bitstransfer", Files{Target: true}),
	windows("import-csv ipcsv import-clixml import-powershelldatafile format-hex", Files{}),
	windows("export-csv epcsv export-clixml", Files{Access: Writes, Single: true}),
	windows("invoke-webrequest iwr invoke-restmethod irm", Files{OptionsOnly: true}),
}

func windows(names string, files Files) *Entry {
	return &Entry{Names: names, Style: Dashed | Folds | Slashed, Options: windowsOptions, Files: &files}
}

// classMethods returns the names by which PowerShell calls methods of the class for files, or of that for folders.
func classMethods(class, names string) string {
	var out []string
	for _, name := range strings.Fields(names) {
		out = append(out, "[io."+class+"]::"+name, "[system.io."+class+"]::"+name)
	}
	return strings.Join(out, " ")
}
