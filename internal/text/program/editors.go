package program

// editors are the programs that change or search texts, mostly with a script.
var editors = []*Entry{
	{Names: "vi vim nvim ex view gvim vimdiff", Options: `c: S< u< U< i< w> W> t: q< T: cmd: startuptime> servername: A b C d D e E f F g h
		H l L m M n N o? O? p? R v x X y Z clean noplugin`},
	{Names: "emacs", Style: Dashed, Options: `l,load< eval,execute: f,funcall: u,user: t: insert< chdir/ script< Q,quick q,no-init-file nw
		batch daemon? D`},
	{Names: "ed nano pico micro joe sudoedit"},
	{Names: "sed", Options: `e,expression: f,file< l,line-length: i,in-place? n,quiet,silent E,r,regexp-extended s,separate u,unbuffered
		z,null-data b,binary a posix debug sandbox follow-symlinks I?`},
	{
		Names: "awk mawk nawk gawk", Style: Stops, Options: `F,field-separator: v,assign: f,file< E,exec< i,include< e,source: l,load:
		o,pretty-print? p,profile? d,dump-variables? L,lint? W: b c C g h I M n,non-decimal-data N O P,posix r s S,sandbox t V`,
		Files: &Files{Skip: 1, Unless: "f E e"},
	},
	{Names: "jq gojq jaq yq", Options: `f,from-file< L: indent: o,output-format: p,input-format: I: arg:: argjson:: slurpfile:< rawfile:<
		a,ascii-output c,compact-output C,color-output M,monochrome-output e,exit-status h,help j,join-output n,null-input r,raw-output
		R,raw-input s,slurp S,sort-keys i,inplace,in-place P,prettyPrint N V,version tab unbuffered stream seq args jsonargs raw-output0 y Y x
		t yaml-output xml-output toml-output`},
	{
		Names: "less more most pg", Options: `P: x: t: T: y: z: j: k< o> O> D: b: a A B c C d e E f F g G h: i I J K L m M n N q Q r R s S u U
		v V w W X`,
		Files: &Files{},
	},
	{Names: "patch", Options: `i,input< o,output> r,reject-file> d,directory/ p,strip: B,prefix: b,backup D,ifdef: F,fuzz:
		Y,basename-prefix: z,suffix: V,version-control: g,get: reject-format: quoting-style: posix R,reverse N,forward E,remove-empty-files
		f,force t,batch s,silent,quiet c,context e,ed n,normal u,unified l,ignore-whitespace T,set-time Z,set-utc v,version verbose dry-run
		binary merge?`},
}
