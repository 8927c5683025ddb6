package program

// versionControl are the programs that store the history of files.
var versionControl = []*Entry{
	{Names: "git", Options: `C/ c: p,paginate P,no-pager git-dir: work-tree/ namespace: exec-path? config-env: super-prefix: attr-source:
		list-cmds: bare no-replace-objects no-lazy-fetch no-advice literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs
		no-optional-locks html-path man-path info-path version help`, Subs: []Entry{
		{Names: "rebase", Options: `x,exec$ onto: s,strategy: X,strategy-option: i,interactive root abort continue skip quit autosquash
			autostash f,force-rebase k,keep-empty q,quiet v,verbose n,no-stat stat r,rebase-merges? keep-base`},
	}},
}
