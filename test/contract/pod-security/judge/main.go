// Prints what the pod security library of the release says to pods, a JSON object a line: the fixtures of its own tests and pods drawn from
// a seed. Each verdict is [level, first minor version, reason, detail], written where it differs from that of the version before.
// To build: a module that requires k8s.io/pod-security-admission at the release, this file in it, `go build`; `main | gzip -9n >facts.jsonl.gz`.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	_ "unsafe"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/component-base/featuregate"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	psatest "k8s.io/pod-security-admission/test"
)

const lastMinor = 37
const drawnCount = 1500

// The same fields as the library's own, which are not exported.
type fixtureKey struct {
	version api.Version
	level   api.Level
	check   policy.CheckID
}
type fixtureData struct {
	expectErrorSubstring string
	failRequiresFeatures []featuregate.Feature
	failRequiresError    bool
	pass, fail           []*corev1.Pod
}

//go:linkname getFixtures k8s.io/pod-security-admission/test.getFixtures
func getFixtures(key fixtureKey) (fixtureData, error)

var evaluator policy.Evaluator
var seen = map[string]bool{}
var out = json.NewEncoder(os.Stdout)

func judge(pod *corev1.Pod) {
	text, err := json.Marshal(pod)
	if err != nil {
		panic(err)
	}
	if seen[string(text)] {
		return
	}
	seen[string(text)] = true
	verdicts := [][]any{}
	for _, level := range []api.Level{api.LevelBaseline, api.LevelRestricted} {
		last := "?"
		for minor := 0; minor <= lastMinor+1; minor++ {
			version := api.MajorMinorVersion(1, minor)
			name := fmt.Sprint(minor)
			if minor > lastMinor {
				version, name = api.LatestVersion(), "latest"
			}
			r := policy.AggregateCheckResults(evaluator.EvaluatePod(api.LevelVersion{Level: level, Version: version}, &pod.ObjectMeta, &pod.Spec))
			if said := r.ForbiddenReason() + "|" + r.ForbiddenDetail(); said != last {
				verdicts = append(verdicts, []any{level, name, r.ForbiddenReason(), r.ForbiddenDetail()})
				last = said
			}
		}
	}
	if err := out.Encode(map[string]any{"pod": json.RawMessage(text), "verdicts": verdicts}); err != nil {
		panic(err)
	}
}

func main() {
	made, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		panic(err)
	}
	evaluator = made
	for _, level := range []api.Level{api.LevelBaseline, api.LevelRestricted} {
		for minor := 0; minor < lastMinor; minor++ {
			version := api.MajorMinorVersion(1, minor)
			for _, get := range []func(api.Level, api.Version) (*corev1.Pod, error){psatest.GetMinimalValidPod, psatest.GetMinimalValidLinuxPod, psatest.GetMinimalValidWindowsPod} {
				if pod, err := get(level, version); err == nil {
					judge(pod)
				}
			}
			for _, check := range policy.DefaultChecks() {
				data, err := getFixtures(fixtureKey{version, level, check.ID})
				if err != nil {
					continue
				}
				for _, pod := range append(data.pass, data.fail...) {
					judge(pod)
				}
			}
		}
	}
	r := rand.New(rand.NewSource(1))
	for range drawnCount {
		judge(draw(r))
	}
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.Intn(len(of))] }
func ptr[T any](v T) *T                   { return &v }
func rarely(r *rand.Rand) bool            { return r.Intn(4) == 0 }

func seccomp(r *rand.Rand) *corev1.SeccompProfile {
	return pick(r, nil, &corev1.SeccompProfile{Type: pick[corev1.SeccompProfileType](r, "RuntimeDefault", "Localhost", "Unconfined", "", "x\"y")})
}

func appArmor(r *rand.Rand) *corev1.AppArmorProfile {
	return pick(r, nil, nil, &corev1.AppArmorProfile{Type: pick[corev1.AppArmorProfileType](r, "RuntimeDefault", "Localhost", "Unconfined", "other")})
}

func seLinux(r *rand.Rand) *corev1.SELinuxOptions {
	return pick(r, nil, nil, &corev1.SELinuxOptions{Type: pick(r, "", "container_t", "container_engine_t", "spc_t"), User: pick(r, "", "", "u"), Role: pick(r, "", "", "r")})
}

func windows(r *rand.Rand) *corev1.WindowsSecurityContextOptions {
	return pick(r, nil, nil, nil, &corev1.WindowsSecurityContextOptions{HostProcess: pick(r, nil, ptr(true), ptr(false))})
}

func handler(r *rand.Rand) (*corev1.HTTPGetAction, *corev1.TCPSocketAction) {
	host, port := pick(r, "", "", "localhost", "example.com", "10.0.0.1"), intstr.FromInt32(80)
	if rarely(r) {
		return nil, &corev1.TCPSocketAction{Host: host, Port: port}
	}
	return &corev1.HTTPGetAction{Host: host, Port: port}, nil
}

func probe(r *rand.Rand) *corev1.Probe {
	if !rarely(r) {
		return nil
	}
	get, socket := handler(r)
	return &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: get, TCPSocket: socket}}
}

func hook(r *rand.Rand) *corev1.LifecycleHandler {
	if rarely(r) {
		return nil
	}
	get, socket := handler(r)
	return &corev1.LifecycleHandler{HTTPGet: get, TCPSocket: socket}
}

func container(r *rand.Rand, name string) corev1.Container {
	c := corev1.Container{Name: name, LivenessProbe: probe(r), ReadinessProbe: probe(r), StartupProbe: probe(r)}
	if rarely(r) {
		c.Lifecycle = &corev1.Lifecycle{PostStart: hook(r), PreStop: hook(r)}
	}
	for range pick(r, 0, 0, 0, 2) {
		c.Ports = append(c.Ports, corev1.ContainerPort{ContainerPort: 80, HostPort: pick[int32](r, 0, 80, 9000, 443)})
	}
	if rarely(r) {
		return c
	}
	s := &corev1.SecurityContext{
		Privileged: pick(r, nil, nil, ptr(false), ptr(true)), AllowPrivilegeEscalation: pick(r, nil, ptr(false), ptr(false), ptr(true)),
		RunAsNonRoot: pick(r, nil, nil, ptr(true), ptr(false)), RunAsUser: pick(r, nil, nil, ptr[int64](0), ptr[int64](7)),
		SeccompProfile: seccomp(r), AppArmorProfile: appArmor(r), SELinuxOptions: seLinux(r), WindowsOptions: windows(r),
		ProcMount: pick(r, nil, nil, ptr(corev1.DefaultProcMount), ptr(corev1.UnmaskedProcMount), ptr(corev1.ProcMountType(""))),
	}
	if !rarely(r) {
		s.Capabilities = &corev1.Capabilities{Drop: pick(r, nil, []corev1.Capability{"ALL"}, []corev1.Capability{"ALL"}, []corev1.Capability{"NET_RAW"})}
		for range pick(r, 0, 0, 1, 3) {
			s.Capabilities.Add = append(s.Capabilities.Add, pick[corev1.Capability](r, "NET_BIND_SERVICE", "CHOWN", "SYS_TIME", "NET_RAW", "CAP_CHOWN"))
		}
	}
	c.SecurityContext = s
	return c
}

func volume(r *rand.Rand, name string) corev1.Volume {
	v := corev1.Volume{Name: name}
	switch r.Intn(10) {
	case 0, 1:
		v.HostPath = &corev1.HostPathVolumeSource{Path: "/x"}
	case 2:
		v.NFS = &corev1.NFSVolumeSource{Server: "s", Path: "/"}
	case 3:
		v.ISCSI = &corev1.ISCSIVolumeSource{TargetPortal: "p", IQN: "i"}
	case 4:
		v.EmptyDir = &corev1.EmptyDirVolumeSource{}
	case 5:
		v.Image = &corev1.ImageVolumeSource{Reference: "i"}
	case 6:
		v.PortworxVolume = &corev1.PortworxVolumeSource{VolumeID: "v"}
	case 7:
		v.PhotonPersistentDisk = &corev1.PhotonPersistentDiskVolumeSource{PdID: "v"}
	case 8:
		v.CSI = &corev1.CSIVolumeSource{Driver: "d"}
	}
	return v
}

func draw(r *rand.Rand) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}}
	for i := range pick(r, 0, 0, 1) {
		pod.Spec.InitContainers = append(pod.Spec.InitContainers, container(r, fmt.Sprintf("i%d", i)))
	}
	for i := range 1 + r.Intn(2) {
		pod.Spec.Containers = append(pod.Spec.Containers, container(r, fmt.Sprintf("c%d", i)))
	}
	if r.Intn(6) == 0 {
		c := container(r, "e")
		pod.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon(c)}}
	}
	if !rarely(r) {
		s := &corev1.PodSecurityContext{RunAsNonRoot: pick(r, nil, ptr(true), ptr(false)), RunAsUser: pick(r, nil, nil, ptr[int64](0), ptr[int64](7)),
			SeccompProfile: seccomp(r), AppArmorProfile: appArmor(r), SELinuxOptions: seLinux(r), WindowsOptions: windows(r)}
		for range pick(r, 0, 0, 0, 2) {
			s.Sysctls = append(s.Sysctls, corev1.Sysctl{Name: pick(r, "kernel.shm_rmid_forced", "net.ipv4.tcp_rmem", "net.ipv4.tcp_fin_timeout", "net.ipv4.ip_local_reserved_ports", "kernel.msgmax"), Value: "1"})
		}
		pod.Spec.SecurityContext = s
	}
	for range pick(r, 0, 0, 0, 2) {
		if pod.Annotations == nil {
			pod.Annotations = map[string]string{}
		}
		key := pick(r, "container.apparmor.security.beta.kubernetes.io/c0", "container.apparmor.security.beta.kubernetes.io/none", "seccomp.security.alpha.kubernetes.io/pod", "container.seccomp.security.alpha.kubernetes.io/c0", "container.seccomp.security.alpha.kubernetes.io/none")
		pod.Annotations[key] = pick(r, "", "runtime/default", "docker/default", "localhost/x", "unconfined", "a\"b")
	}
	for i := range pick(r, 0, 0, 1, 3) {
		pod.Spec.Volumes = append(pod.Spec.Volumes, volume(r, fmt.Sprintf("v%d", i)))
	}
	pod.Spec.HostNetwork, pod.Spec.HostPID, pod.Spec.HostIPC = r.Intn(8) == 0, r.Intn(8) == 0, r.Intn(8) == 0
	pod.Spec.HostUsers = pick(r, nil, nil, ptr(false), ptr(true))
	if rarely(r) {
		pod.Spec.OS = &corev1.PodOS{Name: pick(r, corev1.Linux, corev1.Windows)}
	}
	return pod
}
