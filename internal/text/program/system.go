package program

// system are the programs that administer a machine, and those of which only the form of the options is known.
var system = []*Entry{
	{Names: "iptables ip6tables", Options: `A,append: D,delete: I,insert: P,policy:: F,flush t,table: j,jump: p,protocol: s,source:
		d,destination: i,in-interface: o,out-interface: L,list X,delete-chain Z,zero N,new-chain: n,numeric v,verbose w,wait? m,match:`},
	{Names: "passwd", Options: `d,delete l,lock u,unlock e,expire S,status a,all n,mindays: x,maxdays: w,warndays: i,inactive: q,quiet
		R,root: stdin k`},
	{Names: "getent", Options: "i,no-idn s,service: A,no-addrconfig"},
	{Names: "ps"},
	{Names: "procdump py-spy", Style: Dashed, Options: "p,pid: ma mm o: n: s: c: m: w: d,duration: r,rate: f,format: locals l native"},
	{Names: "umount", Options: "f,force l,lazy a,all R,recursive t,types: O: n r v d A i q c N:"},
	{Names: "userdel", Options: "r,remove f,force R,root: P,prefix: Z"},
	{Names: "javac ffplay ffprobe convert magick tcc ghc mvn erl x264 gs rustc aapt qemu-system-x86_64 " +
		"systemsetup hdiutil security dism", Style: Dashed},
	{Names: "pgrep pkill pidwait", Options: `d,delimiter: F,pidfile< G,group: P,parent: g,pgroup: s,session: t,terminal: u,euid: U,uid:
		signal: ns: nslist: r,runstates: A,ignore-ancestors a,list-full c,count f,full i,ignore-case l,list-name n,newest o,oldest
		v,inverse w,lightweight x,exact e,echo q,queue: H,require-handler`},
	{Names: "pidof", Options: "o: S: s x c n q w z"},
}
