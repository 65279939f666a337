/**
 * Transcripts: what a user of kubectl 1.24, 1.30 and 1.36 types and sees. Texts that upstream's server or client fixes are asserted as
 * they are on a real cluster of release 1.36 (docs/kubectl.md). Runs where `npm ci` was done in this folder.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBinaries, kubectlVersions, type Session, startSession } from './session.ts';

if (!hasBinaries) console.log('skipped: real clients are not installed here (cd test/clients && npm ci; Linux x64)');

describe.skipIf(!hasBinaries)('kubectl', () => {
  let session: Session;
  beforeAll(async () => {
    session = await startSession();
  });
  afterAll(() => session.stop());

  /** One user per release, all at once; what each does builds on what it did before. */
  it.concurrent.each(kubectlVersions)('transcript of %s', { timeout: 110_000 }, async (version) => {
    const namespace = `t${version.replace('.', '-')}`;
    const ok = (line: string): Promise<string> => session.ok(line.replaceAll('kubectl ', `kubectl -n ${namespace} `), version);
    const fails = async (line: string): Promise<string> => {
      const { code, out, error } = await session.sh(line.replaceAll('kubectl ', `kubectl -n ${namespace} `), version);
      expect(code).not.toBe(0);
      return `${out}${error}`.trim();
    };

    const appliesShowsAndRollsOutADeployment = async (): Promise<void> => {
      expect(await session.ok(`kubectl create namespace ${namespace}`, version)).toBe(`namespace/${namespace} created`);
      expect(await ok('kubectl apply -f deploy.yaml')).toBe('deployment.apps/web created\nservice/web created');
      expect(await ok('kubectl apply -f deploy.yaml')).toBe('deployment.apps/web unchanged\nservice/web unchanged');
      expect(await ok('kubectl rollout status deployment/web --timeout=30s')).toContain('deployment "web" successfully rolled out');
      expect(await ok('kubectl get deployment web')).toMatch(/^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +3\/3 +3 +3 +\d+s$/);
      expect(await ok('kubectl get pods -o wide')).toMatch(
        /NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES\n(web-\w+-\w{5} +1\/1 +Running +0 +\d+s +10\.\S+ +node-\d +<none> +<none>\n?){3}/,
      );
      expect(await ok(`kubectl get deployment web -o jsonpath='{.spec.template.spec.containers[*].image}'`)).toBe('nginx:1.27');
      expect(await ok('kubectl get deployment web -o custom-columns=N:.metadata.name,R:.spec.replicas --no-headers')).toMatch(/^web +3$/);
      expect(await ok('kubectl get deployment,service -o name')).toBe('deployment.apps/web\nservice/web');
      const described = await ok('kubectl describe deployment web');
      expect(described).toContain('Replicas:               3 desired | 3 updated | 3 total | 3 available | 0 unavailable');
      expect(described).toMatch(/Normal +ScalingReplicaSet .* deployment-controller +Scaled up replica set web-\w+ from 0 to 3/);
    };

    const rollsOutAnotherImageShowsItsHistoryAndUndoesIt = async (): Promise<void> => {
      expect(await ok('kubectl set image deployment/web nginx=nginx:1.28')).toBe('deployment.apps/web image updated');
      await ok('kubectl rollout status deployment/web --timeout=40s');
      expect(await ok('kubectl rollout history deployment/web')).toMatch(/^deployment.apps\/web *\nREVISION +CHANGE-CAUSE\n1 +<none>\n2 +<none>$/);
      expect(await ok('kubectl rollout undo deployment/web')).toBe('deployment.apps/web rolled back');
      expect(await ok('kubectl rollout pause deployment/web')).toBe('deployment.apps/web paused');
      expect(await fails('kubectl rollout pause deployment/web')).toBe('error: deployments.apps "web" is already paused');
      expect(await ok('kubectl rollout resume deployment/web')).toBe('deployment.apps/web resumed');
      expect(await ok('kubectl rollout restart deployment/web')).toBe('deployment.apps/web restarted');
      await ok('kubectl rollout status deployment/web --timeout=40s');
      expect(await fails('kubectl rollout undo deployment/web --to-revision=9')).toContain('error: unable to find specified revision 9 in history');
      expect(await ok('kubectl scale deployment/web --replicas=1')).toBe('deployment.apps/web scaled');
      expect(await fails('kubectl scale deployment/nope --replicas=1')).toMatch(/deployments.apps "nope" not found|no objects passed to scale/);
    };

    const labelsAnnotatesPatchesEditsAndReplaces = async (): Promise<void> => {
      expect(await ok('kubectl apply -f cm.yaml')).toBe('configmap/conf created');
      expect(await ok('kubectl label configmap conf a=b')).toBe('configmap/conf labeled');
      expect(await fails('kubectl label configmap conf a=c')).toContain(`'a' already has a value (b), and --overwrite is false`);
      expect(await ok('kubectl annotate configmap conf note=hello')).toBe('configmap/conf annotated');
      expect(await ok(`kubectl patch configmap conf -p '{"data":{"a":"2"}}'`)).toBe('configmap/conf patched');
      expect(await ok(`kubectl patch configmap conf --type merge -p '{"data":{"a":"2"}}'`)).toBe('configmap/conf patched (no change)');
      expect(await ok(`kubectl patch configmap conf --type json -p '[{"op":"replace","path":"/data/a","value":"3"}]'`)).toBe(
        'configmap/conf patched',
      );
      expect(await fails(`kubectl patch configmap conf --type json -p '[{"op":"test","path":"/data/a","value":"9"}]'`)).toMatch(
        /^The request is invalid/,
      );
      expect(await fails(`kubectl patch deployment web -p '{"spec":{"replicas":"x"}}'`)).toBe(
        'The request is invalid: patch: Invalid value: "map[spec:map[replicas:x]]": unrecognized type: int32',
      );
      expect(await ok(`EDITOR='sed -i s/two/three/' kubectl edit configmap conf`)).toBe('configmap/conf edited');
      expect(await ok(`kubectl get configmap conf -o jsonpath='{.data}'`)).toBe('{"a":"3","b":"three"}');
      expect(await fails('kubectl diff -f cm.yaml')).toMatch(/-  b: three[^]*\+  b: two/);
      expect(await ok('kubectl replace -f cm.yaml')).toBe('configmap/conf replaced');
      expect(await fails(`sed 's/name: conf/name: conf, resourceVersion: "1"/' cm.yaml | kubectl replace -f -`)).toContain(
        'the object has been modified; please apply your changes to the latest version and try again',
      );
    };

    const appliesOnTheServerAndNamesConflicts = async (): Promise<void> => {
      expect(await ok('kubectl apply --server-side --field-manager=one --force-conflicts -f cm.yaml')).toBe('configmap/conf serverside-applied');
      const conflict = await fails(`sed 's/two/zwei/' cm.yaml | kubectl apply --server-side --field-manager=two -f -`);
      expect(conflict).toContain('error: Apply failed with');
      expect(conflict).toContain('.data.b');
      expect(await ok(`sed 's/two/zwei/' cm.yaml | kubectl apply --server-side --field-manager=two --force-conflicts -f -`)).toBe(
        'configmap/conf serverside-applied',
      );
    };

    const saysWhatIsWrongWithManifests = async (): Promise<void> => {
      expect(await fails('kubectl create -f bad-kind.yaml')).toContain('no matches for kind "Gadget" in version "v1"');
      expect(await fails('kubectl create -f bad-type.yaml --validate=false')).toBe(
        'Error from server (BadRequest): error when creating "bad-type.yaml": Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
      );
      const invalid = await fails('kubectl create -f bad-invalid.yaml');
      expect(invalid).toContain('The Deployment "Bad_Name" is invalid:');
      expect(invalid).toContain('* spec.replicas: Invalid value: -1: must be greater than or equal to 0');
      expect(invalid).toContain('* spec.template.spec.containers[0].image: Required value');
      if (version === '1.24') return;
      expect(await fails('kubectl create -f bad-unknown.yaml')).toContain('strict decoding error: unknown field "dat", unknown field "metadata.foo"');
      expect((await session.sh(`kubectl -n ${namespace} create -f bad-unknown.yaml --validate=warn`, version)).error).toContain(
        'Warning: unknown field "dat"',
      );
    };

    const runsShowsFollowsAndDeletesAPod = async (): Promise<void> => {
      expect(await ok('kubectl apply -f pod.yaml')).toBe('pod/solo created');
      expect(await ok('kubectl wait pod/solo --for=condition=Ready --timeout=20s')).toBe('pod/solo condition met');
      const described = await ok('kubectl describe pod solo');
      for (const event of ['Scheduled', 'Pulled', 'Created', 'Started']) expect(described).toMatch(new RegExp(`Normal +${event} `));
      expect(described).toMatch(/Node: +node-\d\/172\.18\.0\.\d/);
      expect(await ok('kubectl logs solo --timestamps --tail=1')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);
      expect(await fails('kubectl logs solo -p')).toBe(
        'Error from server (BadRequest): previous terminated container "main" in pod "solo" not found',
      );
      expect(await fails('kubectl logs solo -c nope')).toContain('container nope is not valid for pod solo');
      expect(await ok(`kubectl exec solo -- sh -c 'echo $A; echo no >&2'`)).toBe('1');
      expect(await fails(`kubectl exec solo -- sh -c 'exit 3'; echo "code $?"; exit 1`)).toContain('code 3');
      expect(await ok(`printf 'echo from $POD\nexit 0\n' | kubectl exec -i solo -- sh`)).toBe('from solo');
      expect(await fails('kubectl exec solo -- nope')).toMatch(
        /^error: Internal error occurred: .*OCI runtime exec failed: exec failed: unable to start container process: exec: "nope": executable file not found in \$PATH/,
      );
      await ok('kubectl cp pod.yaml solo:/tmp/copied.yaml');
      expect(await ok('kubectl cp solo:/tmp/copied.yaml back.yaml >/dev/null; cmp pod.yaml back.yaml && echo same')).toBe('same');
      expect(await ok(`printf 'a\nb\n' | kubectl run count --rm -i --quiet --image=busybox --restart=Never -- wc -l`)).toContain('2');
      // A first measurement takes a quarter of a minute, as metrics-server's does: it is over by now.
      expect(await ok('kubectl top nodes')).toMatch(/^NAME +CPU\(cores\) +.*MEMORY.*\nnode-0 +\d+m/);
      expect(await fails(`kubectl patch pod solo -p '{"spec":{"nodeName":"other"}}'`)).toContain('pod updates may not change fields other than');
      expect(await ok('kubectl delete pod solo')).toMatch(/^pod "solo" deleted/);
      expect(await fails('kubectl get pod solo')).toBe('Error from server (NotFound): pods "solo" not found');
    };

    const runsJobsToTheirEnd = async (): Promise<void> => {
      expect(await ok(`kubectl create job hello --image=busybox -- sh -c 'echo hi'`)).toBe('job.batch/hello created');
      expect(await ok('kubectl wait job/hello --for=condition=complete --timeout=30s')).toBe('job.batch/hello condition met');
      expect(await ok('kubectl logs job/hello')).toBe('hi');
      expect(await ok(`kubectl create cronjob tick --image=busybox --schedule='* * * * *' -- date`)).toBe('cronjob.batch/tick created');
      expect(await ok('kubectl describe cronjob tick')).toContain('Schedule:                      * * * * *');
      expect(await ok('kubectl create job manual --from=cronjob/tick')).toBe('job.batch/manual created');
    };

    const knowsWhoMayDoWhat = async (): Promise<void> => {
      expect(await ok('kubectl create serviceaccount bot')).toBe('serviceaccount/bot created');
      expect(await ok('kubectl create role reader --verb=get,list --resource=pods')).toBe('role.rbac.authorization.k8s.io/reader created');
      expect(await ok(`kubectl create rolebinding reader --role=reader --serviceaccount=${namespace}:bot`)).toBe(
        'rolebinding.rbac.authorization.k8s.io/reader created',
      );
      const bot = `--as system:serviceaccount:${namespace}:bot`;
      expect(await ok('kubectl auth can-i create pods')).toBe('yes');
      expect(await ok(`kubectl auth can-i list pods ${bot}`)).toBe('yes');
      expect(await fails(`kubectl auth can-i delete pods ${bot}`)).toBe('no');
      expect(await ok(`kubectl auth can-i --list ${bot}`)).toMatch(/pods +\[\] +\[\] +\[get list\]/);
      expect(await fails(`kubectl get secrets ${bot}`)).toBe(
        `Error from server (Forbidden): secrets is forbidden: User "system:serviceaccount:${namespace}:bot" cannot list resource "secrets" in API group "" in the namespace "${namespace}"`,
      );
      expect(await ok('kubectl create token bot')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
      if (version !== '1.24' && version !== '1.30')
        expect(await ok(`kubectl auth whoami ${bot}`)).toContain(`Username    system:serviceaccount:${namespace}:bot`);
    };

    const tellsAboutTheApi = async (): Promise<void> => {
      expect(await ok('kubectl api-resources --api-group=apps -o name')).toBe(
        'controllerrevisions.apps\ndaemonsets.apps\ndeployments.apps\nreplicasets.apps\nstatefulsets.apps',
      );
      expect((await ok('kubectl api-versions')).split('\n')).toEqual(expect.arrayContaining(['apps/v1', 'batch/v1', 'v1']));
      expect(await ok('kubectl explain deployment.spec.replicas')).toMatch(/FIELD: +replicas/);
      expect(await ok('kubectl get --raw /readyz')).toBe('ok');
      expect(await ok('kubectl cluster-info')).toContain(session.server);
      expect(await ok('kubectl get deployment web --subresource=scale')).toMatch(/^NAME +DESIRED +AVAILABLE +AGE\nweb +1 +\d +\d+s$/);
      expect(await ok('kubectl get pods -v=6 2>&1')).toMatch(/\/pods\?limit=500.* 200 OK|url="[^"]*\/pods\?limit=500" status="200 OK"/);
    };

    const deletesWhatBelongsTogether = async (): Promise<void> => {
      expect(await ok('kubectl delete deployment web --cascade=orphan')).toContain('deployment.apps "web" deleted');
      expect(await ok(`kubectl get replicasets -o jsonpath='{.items[*].metadata.ownerReferences}'`)).toBe('');
      await ok('kubectl delete replicasets --all --cascade=foreground --timeout=30s');
      expect(await ok('kubectl get replicasets 2>&1')).toBe(`No resources found in ${namespace} namespace.`);
      expect(await session.ok(`kubectl delete namespace ${namespace} --timeout=60s`, version)).toBe(`namespace "${namespace}" deleted`);
      expect(await fails('kubectl create configmap late')).toBe(`error: failed to create configmap: namespaces "${namespace}" not found`);
    };
    const steps = [
      appliesShowsAndRollsOutADeployment,
      rollsOutAnotherImageShowsItsHistoryAndUndoesIt,
      labelsAnnotatesPatchesEditsAndReplaces,
      appliesOnTheServerAndNamesConflicts,
      saysWhatIsWrongWithManifests,
      runsShowsFollowsAndDeletesAPod,
      runsJobsToTheirEnd,
      knowsWhoMayDoWhat,
      tellsAboutTheApi,
      deletesWhatBelongsTogether,
    ];
    for (const step of steps) await step();
  });

  it.concurrent('streams changes as they happen', async () => {
    const watched = session.sh('timeout 18 "$KUBECTL" get pods -w --no-headers');
    await session.ok('sleep 1; kubectl run seen --image=nginx:1.27; kubectl wait pod/seen --for=condition=Ready --timeout=20s');
    await session.ok('kubectl delete pod seen --grace-period=1');
    const { out } = await watched;
    for (const status of ['Pending', 'ContainerCreating', 'Running']) expect(out).toMatch(new RegExp(`^seen .*${status}`, 'm'));
  });

  it.concurrent('forwards a port to a service', async () => {
    await session.ok(
      'kubectl run page --image=nginx:1.27 --port=80 && kubectl expose pod page --port=8080 --target-port=80 && kubectl wait pod/page --for=condition=Ready --timeout=20s',
    );
    const line = `"$KUBECTL" port-forward service/page :8080 > forward.log & pid=$!; sleep 1.5; port=$(grep -om1 '127.0.0.1:[0-9]*' forward.log); curl -s http://$port/; kill $pid`;
    expect(await session.ok(line)).toContain('Welcome to nginx!');
    await session.ok('kubectl delete pod,service page --now');
  });

  it.concurrent('carries a helm release from install to uninstall', async () => {
    expect(await session.ok('helm install rel chart')).toContain('STATUS: deployed');
    expect(await session.ok('helm upgrade rel chart --set replicas=2')).toContain('REVISION: 2');
    expect(await session.ok(`kubectl get deployment rel-tiny -o jsonpath='{.spec.replicas}'`)).toBe('2');
    expect(await session.ok('helm list -q')).toBe('rel');
    expect(await session.ok('helm uninstall rel')).toBe('release "rel" uninstalled');
    expect((await session.sh('kubectl get deployment rel-tiny')).error).toContain('NotFound');
  });

  /** Alone: a drain would meet the pods of the others. */
  it('cordons, drains and taints nodes', async () => {
    expect(await session.ok('kubectl run lone --image=nginx:1.27 && kubectl wait pod/lone --for=condition=Ready --timeout=20s')).toContain(
      'condition met',
    );
    const node = await session.ok(`kubectl get pod lone -o jsonpath='{.spec.nodeName}'`);
    expect(await session.ok(`kubectl cordon ${node}`)).toBe(`node/${node} cordoned`);
    expect(await session.ok(`kubectl get node ${node} --no-headers`)).toMatch(/Ready,SchedulingDisabled/);
    expect(await session.ok(`kubectl drain ${node} --ignore-daemonsets --force --timeout=40s`)).toContain(`node/${node} drained`);
    expect(await session.ok(`kubectl uncordon ${node}`)).toBe(`node/${node} uncordoned`);
    expect(await session.ok(`kubectl taint node ${node} a=b:NoSchedule`)).toBe(`node/${node} tainted`);
    expect(await session.ok(`kubectl taint node ${node} a-`)).toBe(`node/${node} untainted`);
    expect(await session.ok(`kubectl describe node ${node}`)).toContain('KubeletReady');
  });
});
