package program

// wrappers are the programs that run the command in their arguments.
var wrappers = []*Entry{
	{Names: "sudo", Style: Stops, Options: `A B b E e H i,login K k l N n,non-interactive P S,stdin s,shell V v a: C,close-from: c:
		D,chdir/ g,group: h,host: p,prompt: R,chroot: r,role: t,type: T,command-timeout: U,other-user: u,user: background
		set-home preserve-env preserve-groups reset-timestamp`},
}
