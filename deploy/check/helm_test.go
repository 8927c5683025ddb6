package check

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

const chart = "../helm/weir"

// objects are what a chart makes, by kind.
type objects map[string]any

// kinds are the types of Kubernetes that the chart may use.
func kinds() map[string]any {
	return map[string]any{
		"v1/ConfigMap": &core.ConfigMap{}, "v1/Service": &core.Service{}, "v1/ServiceAccount": &core.ServiceAccount{},
		"apps/v1/StatefulSet": &apps.StatefulSet{}, "apps/v1/Deployment": &apps.Deployment{},
		"policy/v1/PodDisruptionBudget":          &policy.PodDisruptionBudget{},
		"autoscaling/v2/HorizontalPodAutoscaler": &autoscaling.HorizontalPodAutoscaler{},
		"networking.k8s.io/v1/NetworkPolicy":     &networking.NetworkPolicy{},
		"networking.k8s.io/v1/Ingress":           &networking.Ingress{},
	}
}

// render renders the chart with values, as helm does, and decodes every object strictly.
func render(t *testing.T, values map[string]any) (objects, error) {
	t.Helper()
	c, err := loader.Load(chart)
	if err != nil {
		t.Fatal(err)
	}
	release := chartutil.ReleaseOptions{Name: "weir", Namespace: "weir", IsInstall: true, Revision: 1}
	all, err := chartutil.ToRenderValues(c, values, release, chartutil.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	files, err := engine.Engine{Strict: true}.Render(c, all)
	if err != nil {
		return nil, err
	}
	out := objects{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, "NOTES.txt") || strings.TrimSpace(files[name]) == "" {
			continue
		}
		var kind meta.TypeMeta
		if err := yaml.Unmarshal([]byte(files[name]), &kind); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, files[name])
		}
		into := kinds()[kind.APIVersion+"/"+kind.Kind]
		if into == nil {
			t.Fatalf("%s: unknown kind %s of %s", name, kind.Kind, kind.APIVersion)
		}
		if err := yaml.UnmarshalStrict([]byte(files[name]), into); err != nil {
			t.Errorf("%s: %v\n%s", name, err, files[name])
		}
		if out[kind.Kind] != nil {
			t.Errorf("%s: a second %s", name, kind.Kind)
		}
		out[kind.Kind] = into
	}
	return out, nil
}

// values reads a file of values.
func values(t *testing.T, name string) map[string]any {
	t.Helper()
	v, err := chartutil.ReadValuesFile(chart + "/examples/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func mustRender(t *testing.T, v map[string]any) objects {
	t.Helper()
	all, err := render(t, v)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// checkPod demands that weir is shut in.
func checkPod(t *testing.T, pod core.PodSpec, c core.Container) {
	t.Helper()
	s := c.SecurityContext
	if s == nil || !*s.ReadOnlyRootFilesystem || *s.AllowPrivilegeEscalation || !*s.RunAsNonRoot || !slices.Equal(s.Capabilities.Drop, []core.Capability{"ALL"}) {
		t.Errorf("the container may do too much: %+v", s)
	}
	p := pod.SecurityContext
	if p == nil || !*p.RunAsNonRoot || *p.RunAsUser != 65532 || *p.FSGroup != 65532 || p.SeccompProfile.Type != core.SeccompProfileTypeRuntimeDefault {
		t.Errorf("the pod may do too much: %+v", p)
	}
	if pod.AutomountServiceAccountToken == nil || *pod.AutomountServiceAccountToken {
		t.Error("the pod gets a token of the cluster")
	}
	mounted, there := map[string]bool{}, map[string]bool{}
	for _, v := range pod.Volumes {
		there[v.Name] = true
		if v.Secret != nil && *v.Secret.DefaultMode != 0o440 {
			t.Errorf("the secret %s has mode %o", v.Name, *v.Secret.DefaultMode)
		}
	}
	for _, m := range c.VolumeMounts {
		mounted[m.Name] = true
		if !there[m.Name] && m.Name != "state" {
			t.Errorf("%s is mounted, and is no volume", m.Name)
		}
	}
	for name := range there {
		if !mounted[name] {
			t.Errorf("the volume %s is mounted nowhere", name)
		}
	}
}

// checkFiles has weir check the configuration and the policy of the chart.
func checkFiles(t *testing.T, all objects) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range all["ConfigMap"].(*core.ConfigMap).Data {
		place(t, dir, name, text)
	}
	checkConfig(t, dir, "WEIR_STORE_URL=postgres://weir@db.example/weir")
}

// TestGateway: weir for many clients, as the values are.
func TestGateway(t *testing.T) {
	all := mustRender(t, nil)
	if got := slices.Sorted(maps.Keys(all)); !slices.Equal(got, []string{"ConfigMap", "NetworkPolicy", "PodDisruptionBudget", "Service", "ServiceAccount", "StatefulSet"}) {
		t.Errorf("it makes %v", got)
	}
	set := all["StatefulSet"].(*apps.StatefulSet)
	pod := set.Spec.Template.Spec
	weir := pod.Containers[0]
	checkPod(t, pod, weir)
	if *set.Spec.Replicas != 2 || weir.Image != "weir:0.1.0" || *pod.TerminationGracePeriodSeconds != 90 {
		t.Errorf("%d replicas of %s, which end within %d s", *set.Spec.Replicas, weir.Image, *pod.TerminationGracePeriodSeconds)
	}
	for name, probe := range map[string]*core.Probe{"/readyz": weir.ReadinessProbe, "/healthz": weir.LivenessProbe} {
		if probe.HTTPGet.Path != name || probe.HTTPGet.Port.StrVal != "weir" || probe.HTTPGet.Scheme != core.URISchemeHTTP {
			t.Errorf("%s: %+v", name, probe.HTTPGet)
		}
	}
	labels := set.Spec.Template.Labels
	for what, selector := range map[string]map[string]string{
		"StatefulSet": set.Spec.Selector.MatchLabels, "Service": all["Service"].(*core.Service).Spec.Selector,
		"PodDisruptionBudget": all["PodDisruptionBudget"].(*policy.PodDisruptionBudget).Spec.Selector.MatchLabels,
		"NetworkPolicy":       all["NetworkPolicy"].(*networking.NetworkPolicy).Spec.PodSelector.MatchLabels,
	} {
		for k, v := range selector {
			if labels[k] != v || len(selector) == 0 {
				t.Errorf("%s selects %v, and the pods are %v", what, selector, labels)
			}
		}
	}
	if weir.EnvFrom[0].SecretRef.Name != "weir-env" {
		t.Errorf("%+v", weir.EnvFrom)
	}
	if text := fmt.Sprint(all["ConfigMap"]); strings.Contains(text, "postgres://") {
		t.Error("a secret is in the configuration")
	}
	checkFiles(t, all)
}

// TestTLS: a certificate of weir's own, keys for replicas, and a number of replicas by the load.
func TestTLS(t *testing.T) {
	all := mustRender(t, values(t, "tls.yaml"))
	set := all["StatefulSet"].(*apps.StatefulSet)
	pod := set.Spec.Template.Spec
	checkPod(t, pod, pod.Containers[0])
	if set.Spec.Replicas != nil || pod.Containers[0].ReadinessProbe.HTTPGet.Scheme != core.URISchemeHTTPS {
		t.Errorf("%v, %+v", set.Spec.Replicas, pod.Containers[0].ReadinessProbe)
	}
	if *pod.TerminationGracePeriodSeconds != 150 {
		t.Errorf("it ends within %d s", *pod.TerminationGracePeriodSeconds)
	}
	scaler := all["HorizontalPodAutoscaler"].(*autoscaling.HorizontalPodAutoscaler)
	if scaler.Spec.ScaleTargetRef.Name != set.Name || scaler.Spec.ScaleTargetRef.Kind != "StatefulSet" {
		t.Errorf("%+v", scaler.Spec.ScaleTargetRef)
	}
	text := all["ConfigMap"].(*core.ConfigMap).Data["weir.yaml"]
	if !strings.Contains(text, "secret: /etc/weir-audit/${POD_NAME}.pem") || !strings.Contains(text, "release: shipped") {
		t.Errorf("the replicas have no keys of their own:\n%s", text)
	}
	checkFiles(t, all)
}

// TestIngress: an Ingress leads to the service.
func TestIngress(t *testing.T) {
	all := mustRender(t, map[string]any{"ingress": map[string]any{"enabled": true}})
	in := all["Ingress"].(*networking.Ingress)
	if in.Spec.Rules[0].HTTP.Paths[0].Backend.Service.Name != all["Service"].(*core.Service).Name || in.Spec.TLS[0].SecretName != "weir-tls" {
		t.Errorf("%+v", in.Spec)
	}
}

// TestSidecar: weir beside an agent runs before it, and nobody else reaches it.
func TestSidecar(t *testing.T) {
	all := mustRender(t, values(t, "sidecar.yaml"))
	pod := all["Deployment"].(*apps.Deployment).Spec.Template.Spec
	weir := pod.InitContainers[0]
	checkPod(t, pod, weir)
	if weir.Name != "weir" || weir.RestartPolicy == nil || *weir.RestartPolicy != core.ContainerRestartPolicyAlways || len(weir.Ports) != 0 {
		t.Errorf("%+v", weir)
	}
	if agent := pod.Containers[0]; agent.Env[0].Value != "http://127.0.0.1:4141/anthropic" {
		t.Errorf("%+v", agent.Env)
	}
	if all["Service"] != nil || all["StatefulSet"] != nil || len(all["NetworkPolicy"].(*networking.NetworkPolicy).Spec.Ingress) != 0 {
		t.Error("others can reach it")
	}
	checkFiles(t, all)
}

// TestBadValues: a wrong value is refused before anything is installed.
func TestBadValues(t *testing.T) {
	for says, v := range map[string]map[string]any{
		"mode":                        {"mode": "both"},
		"replicas":                    {"replicas": 0},
		"additional":                  {"replica": 2},
		"agent.image names the image": {"mode": "sidecar"},
		"must be whole seconds":       {"config": map[string]any{"drain": "1.5m"}},
	} {
		if _, err := render(t, v); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: got %v, want %q", v, err, says)
		}
	}
}

// TestChartIsOfOneVersion: the chart installs the weir that its version names.
func TestChartIsOfOneVersion(t *testing.T) {
	text, err := os.ReadFile(chart + "/Chart.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var c struct{ Version, AppVersion string }
	if err := yaml.Unmarshal(text, &c); err != nil || c.Version != c.AppVersion {
		t.Errorf("%+v, %v", c, err)
	}
}
