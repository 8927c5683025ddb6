package program

// readers are the programs that show what is in files.
var readers = []*Entry{
	{
		Names: "cat ccat mdcat", Options: `A,show-all b,number-nonblank e E,show-ends n,number s,squeeze-blank t T,show-tabs u
		v,show-nonprinting`,
		Files: &Files{},
	},
	{Names: "tac", Options: "b,before r,regex s,separator:", Files: &Files{}},
	{Names: "nl", Options: `b,body-numbering: d,section-delimiter: f,footer-numbering: h,header-numbering: i,line-increment:
		l,join-blank-lines: n,number-format: p,no-renumber s,number-separator: v,starting-line-number: w,number-width:`, Files: &Files{}},
	{
		Names: `unshadow unafs samdump2 ssh2john ssh2john.py gpg2john keepass2john zip2john rar2john pfx2john pfx2john.py pem2john
		pem2john.py office2john pdf2john bitcoin2john putty2john 1password2john keychain2john mozilla2john ansible2john bitwarden2john
		keystore2john`,
		Files: &Files{},
	},
	{
		Names: "john",
		Options: `wordlist? w? format: rules? incremental? i? show? session: restore? pot: fork: mask? single? stdin pipe
		users: groups: shells: salts: min-length: max-length: max-run-time: list: test? encoding: external:`,
		Style: Dashed, Files: &Files{},
	},
	{
		Names: "rev zcat bzcat xzcat zstdcat zless zmore glow uuencode tailspin lnav multitail",
		Files: &Files{},
	},
	{Names: "bat batcat", Options: `l,language: style: theme: r,line-range: H,highlight-line: pager$ color: paging: wrap: terminal-width:
		tabs: m,map-syntax: file-name: diff-context: decorations: italic-text: ignored-suffix: A,show-all p,plain n,number d,diff
		f,force-colorization P,no-paging u,unbuffered S,chop-long-lines L,list-languages`, Files: &Files{}},
	{Names: "head tail", Options: `n,lines: c,bytes: s,sleep-interval: pid: max-unchanged-stats: f,follow? F q,quiet,silent r retry v,verbose
		z,zero-terminated b:`, Files: &Files{}},
	{Names: "xxd", Options: `c,cols: g,groupsize: l,len: o: s,seek: R: n: a,autoskip b,bits C,capitalize d e E,EBCDIC h i,include
		p,ps,plain,postscript r,revert u v`, Files: &Files{LastWritten: true}},
	{
		Names: "strings", Options: "n,bytes: t,radix: e,encoding: T,target: s,output-separator: U,unicode: a,all d,data f,print-file-name o w",
		Files: &Files{},
	},
	{
		Names: "od", Options: "A,address-radix: j,skip-bytes: N,read-bytes: S,strings? t,format: w,width? endian: a b c d f i l o s v x",
		Files: &Files{},
	},
	{Names: "hexdump hd", Options: "e,format: f,format-file< n,length: s,skip: L? b c C d o v x", Files: &Files{}},
	{
		Names: "hexyl", Options: `n,length: l: c,bytes: o,display-offset: s,skip: block-size: color: border: panels: g,group-size: b,base: v C
		p P`,
		Files: &Files{},
	},
	{Names: "base32 base64 basenc", Options: `w,wrap: b,break: input< o,output> d,decode D ignore-garbage base64 base64url base32 base32hex
		base16 base2msbf base2lsbf z85`, Files: &Files{}},
	{Names: "sort", Options: `k,key: t,field-separator: o,output> S,buffer-size: T,temporary-directory: parallel: files0-from<
		compress-program$ random-source: batch-size: sort: b d f g h i M n R r V c,check? C m,merge s,stable u,unique z debug`, Files: &Files{}},
	{Names: "wc", Options: "c,bytes m,chars l,lines L,max-line-length w,words files0-from< total: debug"},
	{Names: "du", Options: `a,all apparent-size B,block-size: b,bytes c,total D H d,max-depth: files0-from< h,human-readable inodes k L m
		l,count-links P S,separate-dirs si s,summarize t,threshold: time? time-style: X,exclude-from< exclude: x,one-file-system 0,null g r
		n I:`},
	{Names: "shuf", Options: "o,output> n,head-count: i,input-range: random-source: e,echo r,repeat z", Files: &Files{Never: "e i"}},
	{Names: "uniq", Options: `f,skip-fields: s,skip-chars: w,check-chars: c,count d,repeated D all-repeated? i,ignore-case u,unique
		z group?`, Files: &Files{LastWritten: true}},
	{
		Names: "cut", Options: "b,bytes: c,characters: d,delimiter: f,fields: output-delimiter: n s,only-delimited w z complement",
		Files: &Files{},
	},
	{Names: "paste", Options: "d,delimiters: s,serial z", Files: &Files{}},
	{
		Names: "fold fmt expand unexpand", Options: "w,width: tabs: p,prefix: g,goal: b,bytes c,characters s,spaces i,initial a,all u",
		Files: &Files{},
	},
	{
		Names: "column", Options: `c,output-width: d e s,separator: t,table o,output-separator: N,table-columns: l,table-columns-limit:
		R,table-right: H,table-hide: O,table-order: E,table-noextreme: W,table-wrap: T,table-truncate: n,table-name: x,fillrows J,json L`,
		Files: &Files{},
	},
	{Names: "join", Options: "1: 2: j: a: e: o: v: t: i,ignore-case z check-order nocheck-order header", Files: &Files{}},
	{Names: "comm", Options: "1 2 3 i output-delimiter: check-order nocheck-order total z", Files: &Files{}},
	{Names: "pr", Options: `D,date-format: e? h,header: i? l,length: n? N,first-line-number: o,indent: s? S? w,width: W,page-width: a c d f
		F m r t T v`, Files: &Files{}},
	{Names: "split", Options: `b,bytes: C,line-bytes: l,lines: n,number: a,suffix-length: d numeric-suffixes? x hex-suffixes? t,separator: e
		additional-suffix: filter$ prefix: u verbose`, Files: &Files{}},
	{
		Names: "csplit", Options: "b,suffix-format: f,prefix: k,keep-files suppress-matched n,digits: s,quiet,silent z,elide-empty-files",
		Files: &Files{},
	},
	{Names: "bc dc", Options: "e,expression: f,file< i,interactive l,mathlib q,quiet s,standard w,warn", Files: &Files{}},
	{Names: "grep egrep fgrep zgrep bzgrep xzgrep ugrep", Options: `A,after-context: B,before-context: C,context: D,devices: d,directories:
		e,regexp: f,file< m,max-count: r,recursive R,dereference-recursive E,extended-regexp F,fixed-strings G,basic-regexp P,perl-regexp
		i,ignore-case v,invert-match c,count l,files-with-matches L,files-without-match n,line-number o,only-matching q,quiet,silent
		s,no-messages w,word-regexp x,line-regexp a,text h,no-filename H,with-filename z,null-data Z,null y U,binary u T,initial-tab
		b,byte-offset I include: exclude: exclude-from< exclude-dir: color? colour? label: binary-files: line-buffered V,version`, Files: &Files{
		Skip: 1, Unless: "e f", Tree: "r R", Here: true, Never: "l q c",
	}},
	{Names: "ag ack", Options: `A,after,after-context: B,before,before-context: C,context: G,file-search-regex: m,max-count: ignore:
		ignore-dir: pager$ depth: type: output: match: color? l,files-with-matches c,count i,ignore-case v,invert-match w,word-regexp H
		Q,literal S,smart-case s a u n`, Files: &Files{
		Skip: 1, Tree: "*", Here: true, Never: "l c",
	}},
	{Names: "rg ripgrep", Options: `A,after-context: B,before-context: C,context: e,regexp: f,file< g,glob: t,type: T,type-not:
		M,max-columns: m,max-count: j,threads: d,max-depth: E,encoding: r,replace: iglob: sort: sortr: color: colors: pre$ hostname-bin$
		pre-glob: ignore-file: engine: path-separator: type-add: type-clear: max-filesize: field-match-separator: context-separator:
		dfa-size-limit: regex-size-limit: generate: a,text b,byte-offset c,count count-matches F,fixed-strings H,with-filename h I,no-filename
		i,ignore-case L,follow l,files-with-matches N,no-line-number n,line-number o,only-matching P,pcre2 p,pretty q,quiet S,smart-case
		s,case-sensitive U,multiline u,unrestricted v,invert-match w,word-regexp x,line-regexp z,search-zip 0,null .,hidden V,version files
		type-list files-without-match json vimgrep heading column trim stats passthru multiline-dotall crlf debug line-buffered block-buffered
		auto-hybrid-regex`, Files: &Files{
		Skip: 1, Unless: "e f", Tree: "*", Here: true, Never: "files type-list l q c",
	}},
	{Names: "diff sdiff colordiff delta difft icdiff cmp diff3", Options: `U,unified? C,context? W,width: I,ignore-matching-lines: exclude:
		X,exclude-from: F,show-function-line: o,output> L,label: from-file< to-file< bytes: ignore-initial: horizon-lines: S,starting-file:
		D,ifdef: tabsize: color? palette: line-format: r,recursive q,brief s u y a b B c d e E l p t T w N Z 3 A m`, Files: &Files{Tree: "r"}},
	{
		Names: "iconv pandoc", Options: `f,from,from-code: t,to,to-code: o,output> template< M,metadata: V,variable: c,css<
		H,include-in-header< B,include-before-body< A,include-after-body< d,defaults< F,filter! L,lua-filter! toc s,standalone pdf-engine!
		bibliography< csl< metadata-file< data-dir: l,list`,
		Files: &Files{},
	},
	{Names: "look", Options: "a,alternative b d,alphanum f,ignore-case t,terminate:", Files: &Files{Skip: 1}},
	{Names: "gron dasel xmllint xmlstarlet csvlook csvcut csvgrep csvjson mlr pygmentize highlight ul colrm tsort ptx nroff troff groff " +
		"soelim jless fx moar ov vd visidata wall lp lpr msgcat wdiff tidy xq tomlq nkf recode", Options: `f,file< o,output> n: s: l: t: I: O:
		ojson icsv ijson format xpath: noout schema<`, Files: &Files{}},
	{Names: "readelf objdump", Options: "a,all s,full-contents x: p: w h S l d", Files: &Files{}},
	{Names: "date", Options: "d,date: f,file< r,reference: s,set: u,utc,universal R,rfc-email I,iso-8601? rfc-3339: j v: n"},
	{
		Names: "gpg gpg2", Options: `photo-viewer$ agent-program$ dirmngr-program$ pinentry-program$ o,output> r,recipient:
		R,hidden-recipient: u,local-user: default-key: homedir: passphrase-file:
		passphrase: pinentry-mode: keyserver@ cipher-algo: passphrase-fd: status-fd: command-fd: trust-model: options< batch yes armor a
		c,symmetric d,decrypt e,encrypt s,sign b clearsign verify q,quiet v k,list-keys K,list-secret-keys export export-secret-keys import t`,
		Files: &Files{Never: "k export"},
	},
	{
		Names: "age rage", Options: "o,output> r,recipient: R,recipients-file: i,identity: d,decrypt e,encrypt p,passphrase a,armor j:",
		Files: &Files{},
	},
	{
		Names: "plutil", Style: Dashed, Options: "o> p convert: extract: replace: insert: remove: lint r s e: xml: json: type: n",
		Files: &Files{},
	},
	{
		Names: "xclip wl-copy clip", Style: Dashed, Options: "selection: sel: d: display: loops: l: t: target: type: i o f r quiet verbose n p",
		Files: &Files{},
	},
	{Names: "crontab", Options: "u: s: l r e i T", Files: &Files{Never: "l r e"}},
	{Names: "mail mailx mutt", Options: `s: a< A< attach< c: b: r: S: q: H: F v n E`, Files: &Files{OptionsOnly: true}},
}

// writers are the programs that create, change or remove files.
var writers = []*Entry{
	{Names: "tee sponge", Options: "a,append i,ignore-interrupts p output-error?", Files: &Files{Access: Writes}},
	{Names: "touch", Options: "r,reference: d,date: t: time: A: a c,no-create f h,no-dereference m", Files: &Files{Access: Writes}},
	{Names: "mkdir mkfifo", Options: "m,mode: Z context? p,parents v,verbose", Files: &Files{Access: Writes}},
	{Names: "truncate", Options: "s,size: r,reference: c,no-create o,io-blocks", Files: &Files{Access: Writes}},
	{Names: "fallocate", Options: `l,length: o,offset: c,collapse-range d,dig-holes i,insert-range n,keep-size p,punch-hole v,verbose x,posix
		z,zero-range`, Files: &Files{Access: Writes}},
	{Names: "chmod chown chgrp chattr", Options: "R,recursive c,changes f,silent,quiet v,verbose h,no-dereference H L P V reference: from: " +
		"preserve-root no-preserve-root dereference"},
	{Names: "setfacl", Options: `m,modify: x,remove: M,modify-file< X,remove-file< set: set-file< restore< b,remove-all k,remove-default
		d,default n R,recursive L P test mask`, Files: &Files{Access: Writes, Tree: "R"}},
	{Names: "xattr", Files: &Files{Access: Writes}},
	{Names: "setfattr", Options: "n,name: v,value: x,remove: h,no-dereference restore<", Files: &Files{Access: Writes}},
	{Names: "dd"},
	{Names: "ssh-keygen", Options: `t: b: C: N: f> P: m: O: I: n: V: z: s: D$ F: R: w: a: E: M: Z: Y: r: H y l e i p c q B A U u v h k Q L
		g K: W: x: X`, Files: &Files{
		OptionsOnly: true, Never: "y l F R H B",
	}},
	{
		Names: "gcc cc clang g++ c++ clang++ ld cpp", Style: Dashed, Options: `o> x: I: L: l: D: U: include< isystem: MF> MT: MQ: T< e: arch:
		target: Xlinker: Xclang: Xassembler: wrapper:`,
		Files: &Files{},
	},
	{
		Names: "rm zf_rm", Options: "r,R,recursive f,force i,interactive I d,dir v,verbose one-file-system no-preserve-root preserve-root? P W x",
		Files: &Files{Access: Removes, Tree: "r"},
	},
	{Names: "unlink rmdir zf_rmdir", Options: "p,parents v,verbose ignore-fail-on-non-empty", Files: &Files{Access: Removes}},
	{
		Names: "shred wipe srm", Options: "n,iterations: s,size: random-source: f,force u,remove v,verbose x,exact z,zero r R q Q: c i l m",
		Files: &Files{
			Access: Removes, Tree: "r R",
		},
	},
	{Names: "gio", Subs: []Entry{
		{Names: "trash", Options: "f,force empty list restore", Files: &Files{Access: Removes, Tree: "*", Never: "list restore"}},
		{Names: "remove", Options: "f,force", Files: &Files{Access: Removes, Tree: "*"}},
		{Names: "cat", Files: &Files{}},
		{Names: "copy", Options: "T,no-target-directory p,progress i,interactive P,preserve b,backup", Files: &Files{LastWritten: true}},
		{
			Names: "move rename", Options: "T,no-target-directory p,progress i,interactive b,backup",
			Files: &Files{Access: Removes, Tree: "*", LastWritten: true},
		},
	}},
	{Names: "kioclient kioclient5 kde-open", Options: "noninteractive interactive", Subs: []Entry{
		{Names: "remove move", Files: &Files{Access: Removes, Tree: "*"}},
		{Names: "cat", Files: &Files{}},
	}},
	{Names: "fdupes jdupes", Options: `r,recurse R d,delete N,noprompt,no-prompt f,omitfirst m,summarize S,size q,quiet s,symlinks H n A
		G: o:`, Files: &Files{Access: Removes, Only: "N", Tree: "r R"}},
	{Names: "asr", Style: Dashed, Options: "source,s< target,t: erase noprompt noverify file< server: verbose puppetstrings"},
	{Names: "gcore", Options: "a o:"},
	{Names: "ffmpeg avconv", Style: Dashed},
	{Names: "rar arj"},
	{Names: "trash trash-put rimraf del-cli rip gtrash rmtrash safe-rm saferm", Options: `f,force v,verbose r,R,recursive i,interactive
		g,glob`, Files: &Files{Access: Removes, Tree: "*"}},
	{Names: "find bfs", Style: Dashed},
	{Names: "fd fdfind", Options: `x,exec* X,exec-batch* H,hidden I,no-ignore u,unrestricted s i g,glob e,extension: t,type: d,max-depth:
		E,exclude: a,absolute-path l L,follow p,full-path 0,print0 S,size: o,owner: c,color: j,threads: min-depth: exact-depth:
		changed-within: changed-before: base-directory/ search-path: ignore-file: max-results: path-separator: q,quiet F 1 prune and: format:
		strip-cwd-prefix? show-errors gen-completions?`},
	{Names: "ln", Options: `t,target-directory: S,suffix: backup? b d,F,directory f,force i,interactive L,logical n,no-dereference P,physical
		r,relative s,symbolic T,no-target-directory v,verbose h`},
	{Names: "cp mv install", Options: `t,target-directory: S,suffix: m,mode: o,owner: g,group: Z context? sparse: backup? reflink?
		preserve? no-preserve: strip-program$ a,archive r,R,recursive f,force i,interactive n,no-clobber u,update? v,verbose p l,link
		s,symbolic-link,strip d,directory b H L,dereference P,no-dereference,physical T,no-target-directory x,one-file-system c,clone
		C,compare F h B: N: parents remove-destination strip-trailing-slashes attributes-only copy-contents keep-directory-symlink debug
		exchange no-copy`},
	{Names: "tar bsdtar", Style: Undashed, Options: `f,file: C,directory: T,files-from< X,exclude-from: b,blocking-factor:
		g,listed-incremental: I,use-compress-program$ F,info-script,new-volume-script$ K,starting-file: L,tape-length: N,newer,after-date:
		V,label: H,format: s: exclude: transform,xform: strip-components: owner: group: mode: mtime: checkpoint-action: checkpoint?
		to-command$ rsh-command$ rmt-command$ suffix: volno-file: sort: warning: backup? record-size: index-file> newer-mtime: group-map:
		owner-map: quoting-style: rsh-program: level: pax-option: add-file: exclude-tag: exclude-caches c,create x,extract,get t,list r,append
		u,update A,catenate,concatenate d,diff,compare z,gzip j,bzip2 J,xz Z,compress a,auto-compress v,verbose p,preserve-permissions
		k,keep-old-files m,touch O,to-stdout P,absolute-names h,dereference l,check-links S,sparse W,verify w,interactive U,unlink-first o B
		i,ignore-zeros n,seek R G,incremental M,multi-volume delete remove-files one-file-system zstd lzma lzip lzop overwrite no-recursion
		numeric-owner no-same-owner no-same-permissions same-owner totals? wildcards anchored show-transformed-names keep-newer-files
		skip-old-files`},
	{Names: "zip", Options: `b: t: tt: n: P: x: i: O> TT,unzip-command$ lf> sf Z: r,recurse-paths R m,move j,junk-paths q,quiet v,verbose
		u,update f,freshen d,delete e,encrypt y,symlinks 9 0 1 l ll k D A J o X S T @ FS F FF z c L g`},
	{Names: "unzip", Options: "d: P: x: I: O: l p t v Z z o n q j a b C f u c L M X K D V W"},
	{Names: "7z 7za 7zz", Style: Dashed},
	{Names: "cpio", Options: `rsh-command$ F,file: D,directory/ E: H,format: o,create i,extract p,pass-through d,make-directories m
		v,verbose t,list u 0,null R,owner: I< O> M: C: W: b B c f k L l n r s S V a A`},
	{Names: "pax", Options: `r w f< s: x: b: o: p: a c d i k l n t u v D H L P X Y Z`},
	{Names: "ar", Style: Undashed, Files: &Files{Skip: 1}},
	{Names: "file", Options: "f,files-from< m,magic-file: F,separator: P: b,brief i,mime k L h z Z s r N n c C e: v", Files: &Files{
		OptionsOnly: true,
	}},
	{Names: "ditto", Options: "c x k z v V X j arch: bom: password sequesterRsrc keepParent"},
	{Names: "unar dtrx unrar", Options: "o,output-directory: d f,force-overwrite p: t s q"},
	{Names: "crudini", Options: "set del merge get existing? inplace format: list output:", Files: &Files{
		Access: Writes, Only: "set del merge", Single: true,
	}},
	{Names: "sd ruplacer rpl sad", Options: "p,preview s F f: n,max-replacements: go", Files: &Files{Access: Writes, Skip: 2, Never: "p"}},
	{Names: "dos2unix unix2dos", Options: "k q o n", Files: &Files{Access: Writes}},
	{Names: "gzip bzip2 xz zstd lz4 brotli compress pigz gunzip bunzip2 unxz unzstd", Options: `S,suffix: o> T,threads: b:
		M,memory,memlimit: D: block-size: f,force k,keep c,stdout,to-stdout d,decompress,uncompress r,recursive t,test l,list v,verbose
		n,no-name N,name z,compress p: a h V L e,extreme F,format: C,check: rm`},
	{Names: "apply_patch applypatch"},
}

const formatOptions = "t,type: L,label: U,uuid: b: i: m: N: O: E: F n: c: o: s: S: I: G: T: q v V f K j: J: e: M: C: g: d: r: y"

// disks are the programs that write to a whole disk, or to the image of one.
var disks = []*Entry{
	{Names: "mkfs mke2fs mkswap newfs mkdosfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat " +
		"mkfs.f2fs mkfs.minix mkfs.cramfs mkfs.bfs mkfs.msdos mkfs.reiserfs", Options: formatOptions, Files: &Files{Access: Writes}},
	{
		Names: "wipefs", Options: "o,offset: t,types: O,output: p,parsable a,all f,force b,backup? n,no-act q,quiet J,json i,noheadings lock?",
		Files: &Files{
			Access: Writes, Only: "a o",
		},
	},
	{Names: "blkdiscard", Options: "o,offset: l,length: p,step: s,secure z,zeroout v,verbose f,force q", Files: &Files{Access: Writes}},
	{Names: "badblocks", Options: "b: c: d: e: i< o> p: t: f n s v w B X", Files: &Files{Access: Writes, Only: "w n"}},
	{Names: "fdisk sfdisk", Options: "b: c? o: s t: u? C: H: S: w: W: l,list d,dump v V x f n,no-act a,append q", Files: &Files{
		Access: Writes, Never: "l d s v V x",
	}},
	{
		Names: "sgdisk gdisk", Options: "a: c: d: e: i: n: t: u: A: R: l b: p,print v,verify Z,zap-all z,zap o,clear g G s E F f D O P",
		Files: &Files{
			Access: Writes, Never: "p v l",
		},
	},
	{Names: "cfdisk hdparm", Style: Dashed, Options: "I i t T tT Tt C", Files: &Files{Access: Writes, Never: "I i t T tT Tt C"}},
	{Names: "parted", Options: "a,align: m,machine s,script l,list f,fix"},
	{Names: "cryptsetup", Options: `c,cipher: s,key-size: h,hash: d,key-file: y,verify-passphrase i,iter-time: type: label: uuid:
		q,batch-mode v,verbose l: o: p: b: S: t: key-slot: pbkdf: header: sector-size: keyfile-size: r,readonly T:`, Subs: []Entry{
		{Names: "luksFormat erase luksErase reencrypt luksKillSlot luksHeaderRestore", Files: &Files{Access: Writes, Single: true}},
	}},
	{Names: "diskutil", Style: Folds},
}
