package program

// versionControl are the programs that store the history of files.
var versionControl = []*Entry{
	{Names: "git", Style: Undivided, Options: `C/ c: p,paginate P,no-pager git-dir: work-tree: namespace: exec-path? config-env:
		super-prefix: attr-source: list-cmds? bare no-replace-objects no-lazy-fetch no-advice literal-pathspecs glob-pathspecs
		noglob-pathspecs icase-pathspecs no-optional-locks html-path man-path info-path v,version h,help`, Subs: gitCommands},
	{Names: "svn", Options: `editor-cmd$ diff-cmd$ diff3-cmd$ m,message: F,file< r,revision: c,change: username: password: config-dir:
		config-option: depth: q,quiet v,verbose`},
	{Names: "hg", Options: "e,ssh$ remotecmd$ R,repository: cwd/ config: r,rev: m,message: l,logfile< u,user: d,date: y q,quiet v,verbose"},
}

// gitCommands are the subcommands of git. Those without an entry have no options that matter here.
var gitCommands = []Entry{
	{Names: "rebase", Style: Launches, Options: `x,exec$ onto: s,strategy: X,strategy-option: C: S,gpg-sign? whitespace: empty:
		i,interactive root abort
			continue skip quit autosquash autostash f,force-rebase k,keep-empty q,quiet v,verbose n,no-stat stat r,rebase-merges? keep-base
			m,merge e,edit-todo show-current-patch apply committer-date-is-author-date ignore-date signoff no-ff fork-point update-refs`},
	{Names: "difftool", Options: "x,extcmd$ t,tool: d,dir-diff y,no-prompt g,gui prompt symlinks cached staged"},
	{Names: "clone", Options: `upload-pack$ receive-pack$ u$ c,config: b,branch: o,origin: depth: reference: template: separate-git-dir:
		j,jobs: filter: shallow-since: shallow-exclude: server-option: bundle-uri: revision: l,local n,no-checkout s,shared q,quiet v,verbose
		bare mirror single-branch dissociate progress recurse-submodules? recursive sparse tags remote-submodules shallow-submodules
		also-filter-submodules reject-shallow 4 6`},
	{Names: "init", Options: "c: template: separate-git-dir: b,initial-branch: object-format: ref-format: shared? q,quiet bare"},
	{Names: "fetch pull", Options: `upload-pack$ receive-pack$ depth: deepen: shallow-since: shallow-exclude: j,jobs: refmap: server-option:
			negotiation-tip: filter: s,strategy: X,strategy-option: o: S,gpg-sign? r,rebase? log? a,append f,force p,prune P,prune-tags t,tags n
			k,keep q,quiet v,verbose all multiple unshallow dry-run ff ff-only no-ff squash commit edit e progress recurse-submodules?
			u,update-head-ok set-upstream atomic porcelain autostash 4 6 m stat signoff`},
	{Names: "push", Options: `receive-pack$ exec$ o,push-option: repo: force-with-lease? signed? recurse-submodules? f,force d,delete
			n,dry-run u,set-upstream q,quiet v,verbose all branches mirror tags follow-tags atomic prune porcelain progress thin no-verify verify
			force-if-includes 4 6`},
	{Names: "ls-remote", Options: "upload-pack$ exec$ sort: o,server-option: h,heads,branches t,tags q,quiet refs get-url symref exit-code"},
	{Names: "send-pack", Options: `receive-pack$ exec$ remote: push-option: all mirror force dry-run verbose thin atomic stateless-rpc
			stdin`},
	{Names: "archive", Options: `exec$ o,output> remote: prefix: format: add-file< add-virtual-file: mtime: l,list v,verbose
			worktree-attributes`},
	{Names: "filter-branch", Style: Launches, Options: `tree-filter$ index-filter$ msg-filter$ env-filter$ commit-filter$ parent-filter$
		tag-name-filter$
			setup$ subdirectory-filter: d: original: state-branch: f,force prune-empty`},
	{Names: "grep", Options: `O? open-files-in-pager? e: f< A: B: C: m: max-depth: threads: i v w h H E F P G n l L o z c q r p W a I
			cached no-index untracked recursive ignore-case files-with-matches line-number count all-match and or not show-function
			function-context`},
	{Names: "config", Options: `f,file: blob: t,type: default: comment: value: global system local worktree add replace-all get get-all
			get-regexp get-urlmatch unset unset-all rename-section remove-section l,list e,edit z,null name-only show-origin show-scope
			fixed-value includes get-color get-colorbool append all regexp bool int path`},
	{Names: "bisect", Subs: []Entry{
		{Names: "run", Runs: &Runs{}},
		{Names: "start good bad new old skip reset log replay view visualize terms next"},
	}},
	{Names: "submodule", Options: "q,quiet", Subs: []Entry{
		{Names: "foreach", Options: "recursive", Runs: &Runs{Text: true}},
		{Names: "add", Options: "b: f,force name: reference: depth:"},
		{Names: "update", Options: `init remote recursive N f,force depth:
				reference: j,jobs: filter: merge rebase checkout`},
		{Names: "init status deinit set-branch set-url summary sync absorbgitdirs"},
	}},
	{Names: "apply am", Options: `p: C: directory: exclude: include: whitespace: build-fake-ancestor< check stat numstat summary apply
			R,reverse 3,3way N,intent-to-add index cached z v,verbose q,quiet reject unidiff-zero allow-empty recount unsafe-paths s,signoff
			k,keep m i S,gpg-sign? continue skip abort quit patch-format: resolved show-current-patch? empty: allow-overlap ignore-whitespace
			binary`},
	{Names: "clean", Options: "e,exclude: f,force n,dry-run d x X q,quiet i,interactive"},
	{Names: "rm", Options: "r f,force n,dry-run q,quiet cached ignore-unmatch sparse pathspec-from-file< pathspec-file-nul"},
	{Names: "mv", Options: "f,force n,dry-run k v,verbose sparse"},
	{Names: "restore", Options: `s,source: conflict: pathspec-from-file< U,unified: inter-hunk-context: W,worktree S,staged p,patch
			q,quiet progress ours theirs m,merge overlay ignore-unmerged recurse-submodules? ignore-skip-worktree-bits pathspec-file-nul 2 3`},
	{Names: "checkout switch", Options: `b: B: c,create: C,force-create: orphan: conflict: pathspec-from-file< t,track?
		f,force,discard-changes q,quiet d,detach m,merge l p,patch ours theirs guess progress ignore-skip-worktree-bits overlay
		recurse-submodules? ignore-other-worktrees overwrite-ignore 2 3`},
	{Names: "diff", Options: `U,unified: S: G: O: l: diff-algorithm: anchored: stat? word-diff? word-diff-regex: src-prefix: dst-prefix:
			line-prefix: output> inter-hunk-context: ws-error-highlight: diff-filter: color? color-moved? ignore-submodules? submodule? relative?
			M? C? B? dirstat? abbrev? p,patch u s,no-patch R a,text b w W z q,quiet cached staged name-only name-status numstat shortstat summary
			check exit-code no-index minimal patience histogram raw merge-base no-renames ext-diff textconv full-index binary compact-summary`},
	{Names: "show cat-file", Options: `U,unified: S: G: n,max-count: format: pretty? since: until: author: stat? color? batch?
			batch-check? batch-command? filter: p,patch s,no-patch t e name-only name-status oneline textconv filters path: follow-symlinks
			batch-all-objects buffer unordered abbrev? encoding: notes? show-signature q,quiet output>`},
	{Names: "format-patch", Options: `o,output-directory> output> n? N start-number: in-reply-to: from? to: cc: add-header: suffix: base:
			subject-prefix: rfc? v,reroll-count: signature: signature-file< thread? interdiff: range-diff: creation-factor: attach? inline?
			stdout k s,signoff q,quiet cover-letter numbered M? C? U,unified: root zero-commit`},
	{Names: "worktree", Options: "", Subs: []Entry{
		{Names: "remove", Options: "f,force"},
		{Names: "add", Options: `b: B: reason: f,force d,detach q,quiet lock orphan track guess-remote
				checkout`},
		{Names: "list lock unlock move prune repair", Options: "reason: expire: porcelain v,verbose n,dry-run z f,force"},
	}},
	{Names: "hash-object", Options: "t: path: w stdin stdin-paths no-filters literally"},
	{Names: "commit", Options: `m,message: F,file< C,reuse-message: c,reedit-message: fixup: squash: t,template< author: date: cleanup:
			trailer: pathspec-from-file< u,untracked-files? S,gpg-sign? a,all p,patch s,signoff n,no-verify e,edit q,quiet v,verbose z,null
			o,only i,include amend allow-empty allow-empty-message dry-run short branch porcelain long status reset-author no-post-rewrite`},
	{Names: "log", Options: `n,max-count: since,after: until,before: author: committer: grep: format: pretty? date: S: G: L: U,unified:
			skip: diff-filter: p,patch s,no-patch oneline graph stat? all branches? tags? remotes? decorate? name-only name-status numstat
			shortstat reverse follow first-parent merges no-merges i E F q,quiet abbrev-commit M? C? output>`},
	{Names: "branch", Options: `u,set-upstream-to: sort: format: points-at: contains? merged? color? column? abbrev? d,delete D m,move M
			c,copy C f,force a,all r,remotes l,list v,verbose q,quiet i t,track? unset-upstream edit-description show-current create-reflog`},
	{Names: "tag", Options: `m,message: F,file< u,local-user: sort: format: cleanup: contains? merged? points-at? n? d,delete f,force
			a,annotate s,sign l,list v,verify e,edit column? i`},
	{Names: "reset", Options: "pathspec-from-file< soft mixed hard merge keep q,quiet N p,patch recurse-submodules?"},
	{Names: "stash", Subs: []Entry{
		{Names: "push save", Options: "m,message: pathspec-from-file< p,patch k,keep-index a,all u,include-untracked S,staged q,quiet"},
		{Names: "clear drop pop apply list show branch create store", Options: "index q,quiet m: p output>"},
	}},
	{Names: "send-email", Options: `sendmail-cmd: to-cmd: cc-cmd: header-cmd: to: cc: bcc: from: subject: smtp-server: smtp-user: smtp-pass:
			smtp-encryption: in-reply-to: confirm: annotate compose dry-run quiet`},
	{Names: "remote", Options: "v,verbose", Subs: []Entry{
		{Names: "add", Options: "t: m: f tags mirror?"},
		{Names: "remove rm rename show prune update get-url set-head set-branches", Options: `a,auto
				d,delete n,dry-run p,prune all push add`},
		{Names: "set-url", Options: "push add delete"},
	}},
	{Names: "add", Options: `pathspec-from-file< chmod: A,all f,force u,update p,patch n,dry-run v,verbose i,interactive e,edit
			N,intent-to-add refresh ignore-errors ignore-missing renormalize sparse`},
	{Names: "merge", Options: `m: F,file< s,strategy: X,strategy-option: S,gpg-sign? into-name: cleanup: log? n e,edit q,quiet v,verbose
			ff no-ff ff-only squash abort continue quit stat commit autostash signoff no-verify`},
	{Names: "cherry-pick revert", Options: `m,mainline: s,signoff S,gpg-sign? X,strategy-option: strategy: cleanup: e,edit n,no-commit x r
			ff allow-empty continue abort quit skip`},
	{
		Names: "reflog", Options: "expire: expire-unreachable: all n,dry-run rewrite updateref stale-fix v,verbose",
		Subs: []Entry{{Names: "expire delete show exists list"}},
	},
	{Names: "gc prune repack", Options: `prune? expire: aggressive auto force q,quiet n,dry-run v,verbose a A d f F l window: depth:
			threads: keep-pack: max-pack-size: cruft`},
	{Names: "update-ref", Options: "m: d z stdin no-deref create-reflog"},
	{Names: "filter-repo", Options: `path: path-glob: path-regex: paths-from-file< replace-text< replace-message< mailmap<
			subdirectory-filter: to-subdirectory-filter: refs: force invert-paths strip-blobs-bigger-than: strip-blobs-with-ids<
			message-callback: blob-callback: commit-callback: filename-callback: source: target: partial analyze dry-run debug`},
	{Names: "blame annotate", Options: `contents< ignore-revs-file< S< L: ignore-rev: abbrev: date: since: b c e f l n p s t w M? C? k
			root porcelain line-porcelain incremental show-stats color-lines color-by-age progress`},
	{Names: "shortlog whatchanged", Options: `output> group: since: until: author: format: pretty? n,numbered s,summary e,email c,committer w?
			p,patch stat?`},
	{Names: "diff-tree diff-index diff-files range-diff", Options: "output> U,unified: S: G: diff-filter: format: pretty? r p,patch " +
		"name-only name-status stat? cached root stdin m c v z q,quiet"},
	{Names: "notes", Options: "ref:", Subs: []Entry{
		{Names: "add append edit", Options: "m,message: F,file< C,reuse-message: c,reedit-message: f,force allow-empty"},
		{Names: "list show copy remove prune merge get-ref"},
	}},
	{Names: "bundle", Subs: []Entry{
		{Names: "create", Options: "version: q,quiet progress all-progress all branches tags"},
		{Names: "verify unbundle list-heads"},
	}},
	{Names: "status describe rev-parse rev-list ls-files ls-tree reflog-show sparse-checkout daemon maintenance replace"},
}
