// Informers of client-go and a plain watch that is taken up again, both through connections that are cut all the time, against
// what an undisturbed watch tells. Prints one line of JSON; exits with 1 when something was missed, repeated or out of order.
//
// To build: a module that requires k8s.io/client-go at the release, this file in it, `go build`.
//
//	informers -kubeconfig FILE [-seconds 60] [-cut 700ms] [-writers 4] [-seed 1]
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"net"
	"net/url"
	"os"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	toolswatch "k8s.io/client-go/tools/watch"
)

const namespace = "informers"

var (
	kubeconfig = flag.String("kubeconfig", "", "the cluster")
	seconds    = flag.Int("seconds", 60, "of changes")
	cut        = flag.Duration("cut", 700*time.Millisecond, "mean time between two cuts of all connections")
	writers    = flag.Int("writers", 4, "that change objects at once")
	seed       = flag.Int64("seed", 1, "of changes and cuts")
)

// change is one event as a client saw it.
type change struct {
	Type, Name, Version string
}

// proxy passes connections on, and cuts all of them when told to.
type proxy struct {
	target string
	open   sync.Map
	cuts   atomic.Int64
}

func (p *proxy) listen() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal(err)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go p.pass(c)
		}
	}()
	return l.Addr().String()
}

func (p *proxy) pass(c net.Conn) {
	s, err := net.Dial("tcp", p.target)
	if err != nil {
		c.Close()
		return
	}
	p.open.Store(c, s)
	done := func() { c.Close(); s.Close(); p.open.Delete(c) }
	go func() { copyAll(s, c); done() }()
	copyAll(c, s)
	done()
}

func copyAll(to, from net.Conn) {
	b := make([]byte, 16384)
	for {
		n, err := from.Read(b)
		if n > 0 {
			if _, werr := to.Write(b[:n]); werr != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (p *proxy) cutAll() {
	p.cuts.Add(1)
	p.open.Range(func(c, s any) bool {
		// A reset and not a proper end every other time.
		if tcp, ok := c.(*net.TCPConn); ok && p.cuts.Load()%2 == 0 {
			tcp.SetLinger(0)
		}
		c.(net.Conn).Close()
		s.(net.Conn).Close()
		return true
	})
}

func fatal(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func main() {
	flag.Parse()
	direct, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	fatal(err)
	direct.QPS, direct.Burst = -1, 0
	straight := kubernetes.NewForConfigOrDie(direct)
	u, err := url.Parse(direct.Host)
	fatal(err)
	p := &proxy{target: u.Host}
	crooked := rest.CopyConfig(direct)
	crooked.Host = "https://" + p.listen()
	crooked.TLSClientConfig.ServerName = u.Hostname()
	disturbed := kubernetes.NewForConfigOrDie(crooked)

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err = straight.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		fatal(err)
	}
	list, err := straight.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	fatal(err)

	truth := follow(ctx, straight, list.ResourceVersion)
	resumed := follow(ctx, disturbed, list.ResourceVersion)
	store, order := inform(ctx, disturbed)

	written := work(ctx, straight, p)
	deadline := time.Now().Add(60 * time.Second)
	last := finalMark(ctx, straight)
	for time.Now().Before(deadline) && !(truth.has(last) && resumed.has(last) && inStore(store, last)) {
		time.Sleep(50 * time.Millisecond)
	}
	report(ctx, straight, p, written, truth, resumed, store, order)
}

// journal keeps what a watch told, in its order.
type journal struct {
	mu      sync.Mutex
	changes []change
	restart atomic.Int64
}

func (j *journal) add(c change) {
	j.mu.Lock()
	j.changes = append(j.changes, c)
	j.mu.Unlock()
}

func (j *journal) has(version string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i := len(j.changes) - 1; i >= 0 && i >= len(j.changes)-200; i-- {
		if j.changes[i].Version == version {
			return true
		}
	}
	return false
}

// follow watches from a version on and goes on from the last one whenever it is cut (client-go's RetryWatcher).
func follow(ctx context.Context, c kubernetes.Interface, from string) *journal {
	j := &journal{}
	lw := &cache.ListWatch{WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
		j.restart.Add(1)
		return c.CoreV1().ConfigMaps(namespace).Watch(ctx, o)
	}}
	w, err := toolswatch.NewRetryWatcherWithContext(ctx, from, lw)
	fatal(err)
	go func() {
		for e := range w.ResultChan() {
			if m, ok := e.Object.(*corev1.ConfigMap); ok {
				j.add(change{string(e.Type), m.Name, m.ResourceVersion})
			} else {
				j.add(change{string(e.Type), fmt.Sprint(e.Object), ""})
			}
		}
	}()
	return j
}

// inform runs an informer and notes where an object goes back in time or comes twice.
func inform(ctx context.Context, c kubernetes.Interface) (cache.Store, *[]string) {
	var mu sync.Mutex
	wrong := &[]string{}
	seen := map[string]int64{}
	note := func(format string, args ...any) { mu.Lock(); *wrong = append(*wrong, fmt.Sprintf(format, args...)); mu.Unlock() }
	version := func(o any) (string, int64) {
		m := o.(*corev1.ConfigMap)
		v, _ := strconv.ParseInt(m.ResourceVersion, 10, 64)
		return string(m.UID), v
	}
	f := informers.NewSharedInformerFactoryWithOptions(c, 0, informers.WithNamespace(namespace))
	i := f.Core().V1().ConfigMaps().Informer()
	_, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(o any) {
			uid, v := version(o)
			if before, ok := seen[uid]; ok {
				note("%s added at %d again, was at %d", o.(*corev1.ConfigMap).Name, v, before)
			}
			seen[uid] = v
		},
		UpdateFunc: func(_, o any) {
			uid, v := version(o)
			if v < seen[uid] {
				note("%s went back from %d to %d", o.(*corev1.ConfigMap).Name, seen[uid], v)
			}
			seen[uid] = v
		},
		DeleteFunc: func(o any) {
			if d, ok := o.(cache.DeletedFinalStateUnknown); ok {
				o = d.Obj
			}
			uid, _ := version(o)
			delete(seen, uid)
		},
	})
	fatal(err)
	f.StartWithContext(ctx)
	cache.WaitForCacheSync(ctx.Done(), i.HasSynced)
	return i.GetStore(), wrong
}

// work changes objects and cuts connections for as long as was asked.
func work(ctx context.Context, c kubernetes.Interface, p *proxy) int64 {
	var written atomic.Int64
	var group sync.WaitGroup
	end := time.Now().Add(time.Duration(*seconds) * time.Second)
	for w := range *writers {
		group.Go(func() {
			r := rand.New(rand.NewSource(*seed*1000 + int64(w)))
			for time.Now().Before(end) {
				if err := one(ctx, c, r, w); err == nil {
					written.Add(1)
				} else if !apierrors.IsNotFound(err) && !apierrors.IsAlreadyExists(err) {
					fatal(err)
				}
			}
		})
	}
	r := rand.New(rand.NewSource(*seed))
	for time.Now().Before(end) {
		time.Sleep(time.Duration(r.ExpFloat64() * float64(*cut)))
		p.cutAll()
	}
	group.Wait()
	return written.Load()
}

func one(ctx context.Context, c kubernetes.Interface, r *rand.Rand, w int) error {
	maps := c.CoreV1().ConfigMaps(namespace)
	name := fmt.Sprintf("c-%d-%d", w, r.Intn(40))
	switch r.Intn(5) {
	case 0:
		return maps.Delete(ctx, name, metav1.DeleteOptions{})
	case 1:
		_, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"a": strconv.Itoa(r.Int())}}, metav1.CreateOptions{})
		return err
	default:
		_, err := maps.Patch(ctx, name, "application/merge-patch+json", []byte(fmt.Sprintf(`{"data":{"a":"%d"}}`, r.Int())), metav1.PatchOptions{})
		return err
	}
}

// finalMark writes the last change and gives its version.
func finalMark(ctx context.Context, c kubernetes.Interface) string {
	m, err := c.CoreV1().ConfigMaps(namespace).Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "last-"}}, metav1.CreateOptions{})
	fatal(err)
	return m.ResourceVersion
}

func inStore(s cache.Store, version string) bool {
	for _, o := range s.List() {
		if o.(*corev1.ConfigMap).ResourceVersion == version {
			return true
		}
	}
	return false
}

func report(ctx context.Context, c kubernetes.Interface, p *proxy, written int64, truth, resumed *journal, s cache.Store, order *[]string) {
	list, err := c.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	fatal(err)
	wrong := append([]string{}, *order...)
	var want, have []string
	for _, m := range list.Items {
		want = append(want, m.Name+"@"+m.ResourceVersion)
	}
	for _, o := range s.List() {
		m := o.(*corev1.ConfigMap)
		have = append(have, m.Name+"@"+m.ResourceVersion)
	}
	sort.Strings(want)
	sort.Strings(have)
	if fmt.Sprint(want) != fmt.Sprint(have) {
		wrong = append(wrong, fmt.Sprintf("the informer has %d objects, the server %d, or in other versions", len(have), len(want)))
	}
	truth.mu.Lock()
	resumed.mu.Lock()
	// The last mark is one more than was written, and the namespace may get its authority's certificate meanwhile.
	told := map[change]bool{}
	events := int64(0)
	for _, one := range truth.changes {
		if told[one] {
			wrong = append(wrong, fmt.Sprintf("%s of %s at %s was told twice", one.Type, one.Name, one.Version))
		}
		told[one] = true
		if one.Name != "kube-root-ca.crt" {
			events++
		}
	}
	if events != written+1 {
		wrong = append(wrong, fmt.Sprintf("%d events of %d changes and the last mark", events, written))
	}
	for i := range max(len(truth.changes), len(resumed.changes)) {
		if i >= len(truth.changes) || i >= len(resumed.changes) || truth.changes[i] != resumed.changes[i] {
			wrong = append(wrong, fmt.Sprintf("the cut watch differs from event %d of %d/%d on", i, len(resumed.changes), len(truth.changes)))
			break
		}
	}
	line, _ := json.Marshal(map[string]any{"written": written, "events": len(truth.changes), "resumed": len(resumed.changes), "cuts": p.cuts.Load(),
		"restarts": resumed.restart.Load(), "objects": len(want), "wrong": wrong[:min(len(wrong), 20)]})
	fmt.Println(string(line))
	if len(wrong) > 0 {
		os.Exit(1)
	}
}
