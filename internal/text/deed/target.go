package deed

import "strings"

// A target is one object that a deed is done to: the words that could name it. One of them is enough.
type target []string

// withClass is how many names an object has whose class is known: its own, that with the class, and the class.
const withClass = 3

// targets are the objects that a line names, and the words that name the environment which they all are in. The first words, as many as
// skip, say what is done. Where it is not known what a word is, it is a target: a rule that must be sure of all then looks at it, too.
func (l *line) targets(skip int) (out []target, around []string) {
	class, passed := l.class(skip), false
	option := ""
	sortValue := func(v string) {
		name := strings.ToLower(strings.TrimLeft(option, "-"))
		switch {
		case aroundOptions[name] || name == "n" && namespaced[l.name]:
			around = append(around, v)
		case plainOptions[name]:
		case class != "" && selectors[name]:
			out = append(out, target{v, class + "/" + v, class})
		default:
			out = append(out, valueTarget(v))
		}
	}
	for i, it := range l.items {
		text := it.word.Text
		switch {
		case it.option:
			name, v, attached := strings.Cut(text, "=")
			if option = name; attached {
				sortValue(v)
			}
		case i > 0 && l.items[i-1].option && it.value:
			sortValue(text)
		case skip > 0:
			skip--
		case class != "" && !passed:
			passed = true
		case class != "":
			out = append(out, target{text, class + "/" + text, class})
		default:
			out = append(out, target{text})
		}
	}
	if passed && len(out) == 0 {
		out = append(out, target{class})
	}
	for _, set := range l.c.Assigns {
		if name, v, _ := strings.Cut(set.Text, "="); aroundVariables[name] {
			around = append(around, v)
		}
	}
	if l.leavesNamespace(out) {
		around = nil
	}
	return out, around
}

// valueTarget is the object that the value of an option names, also after an equals sign.
func valueTarget(v string) target {
	if _, said, ok := strings.Cut(v, "="); ok {
		return target{v, said}
	}
	return target{v}
}

// class is the class of all objects that follow it, as in kubectl delete pod a b; "": the line has none.
func (l *line) class(skip int) string {
	words := l.sure()
	if !namespaced[l.name] || l.name == "helm" || len(words) <= skip || strings.Contains(words[skip].Text, "/") {
		return ""
	}
	return words[skip].Text
}

// selectors are the options that name objects by what they have.
var selectors = wordSet("l selector field-selector")

// leavesNamespace reports objects of a cluster that are in no namespace, or in any.
func (l *line) leavesNamespace(targets []target) bool {
	if !namespaced[l.name] {
		return false
	}
	for _, it := range l.items {
		switch text := it.word.Text; {
		case !it.option:
		case text == "-A", strings.HasPrefix(text, "--all-n"), strings.HasPrefix(text, "-f"), strings.HasPrefix(text, "--filename"),
			strings.HasPrefix(text, "-k"), strings.HasPrefix(text, "--kustomize"):
			return true
		}
	}
	for _, t := range targets {
		for _, name := range t {
			class, _, _ := strings.Cut(strings.ToLower(name), "/")
			for one := range strings.SplitSeq(class, ",") {
				if kind, _, _ := strings.Cut(one, "."); clusterWide[kind] {
					return true
				}
			}
		}
	}
	return false
}

// namespaced are the programs whose objects are in a namespace, which -n names.
var namespaced = wordSet("kubectl oc k kubecolor helm")

// clusterWide are the classes of objects of a cluster that are in no namespace.
var clusterWide = wordSet(`ns namespace namespaces project projects node nodes no pv persistentvolume persistentvolumes crd crds
	customresourcedefinition customresourcedefinitions clusterrole clusterroles clusterrolebinding clusterrolebindings storageclass
	storageclasses sc apiservice apiservices priorityclass priorityclasses pc csr certificatesigningrequests cluster clusters
	validatingwebhookconfiguration validatingwebhookconfigurations mutatingwebhookconfiguration mutatingwebhookconfigurations ingressclass
	ingressclasses runtimeclass runtimeclasses volumeattachment volumeattachments`)

// aroundOptions are the options that name the environment that the objects of a line are in.
var aroundOptions = wordSet(`namespace context kube-context cluster profile project account subscription resource-group workspace stack env
	environment stage repository registry repository-url publish-url index`)

// aroundVariables are the variables that name it.
var aroundVariables = wordSet(`AWS_PROFILE AWS_DEFAULT_PROFILE CLOUDSDK_CORE_PROJECT TF_WORKSPACE HEROKU_APP PULUMI_STACK`)

// plainOptions are the options whose values name no object: where all objects of a program are, how it works, and what it prints.
var plainOptions = wordSet(`region zone location output format query timeout grace-period cascade wait verbosity loglevel log-level color
	skip-final-snapshot acl cache-control content-type content-encoding storage-class sse endpoint-url page-size max-items concurrency
	parallelism parallel retries message reason comment title notes tag access otp port user username password token`)

// modeFirst are the programs whose first operand says which rights a file gets.
var modeFirst = wordSet("chmod chown chgrp setfacl")

// isSetting reports an option whose value names no file that is sent.
func (l *line) isSetting(option string) bool {
	name := strings.ToLower(strings.TrimLeft(option, "-"))
	return plainOptions[name] || aroundOptions[name]
}
