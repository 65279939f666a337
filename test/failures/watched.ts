/**
 * A cluster of ours in which a failure is timed: a deployment of one pod with its service, and everything that happens to its node, to the
 * pod, to its replacement and to its endpoint, by name of the event.
 */
import type { Endpoints, Event, Node, Pod } from '../../engine/api/core/v1/types.gen.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { Change } from '../../engine/store/store.ts';
import type { ClusterConfig } from '../../engine/cluster/config.ts';
import { aCluster, aDeployment, type TestCluster } from '../support/cluster.ts';

export interface Happening {
  readonly ms: number;
  readonly what: string;
}

const podsPrefix = '/registry/pods/default/web-';
const settleMs = 90_000;
const image = 'nginx:1.27';
const beatWindowMs = { after: 300, before: 3_500 };
const looksMax = 400;

export class Watched {
  readonly tank: TestCluster;
  readonly happenings: Happening[] = [];
  /** The node of the pod, and the pod. */
  victim = '';
  #pod = '';
  #replacement = '';
  #lastBeatMs = 0;
  readonly #looks: number[] = [];

  private constructor(tank: TestCluster) {
    this.tank = tank;
    tank.cluster.store.watch({ prefix: '', onChanges: (changes) => changes.forEach((change) => this.#see(change)) });
  }

  static async start(config: Partial<ClusterConfig>): Promise<Watched> {
    const watched = new Watched(await aCluster({ zones: 1, ...config }));
    const { tank } = watched;
    const { call } = tank;
    // Every node has the image, so that a replacement need not pull it.
    call('POST', '/apis/apps/v1/namespaces/default/daemonsets', pullers);
    call('POST', '/api/v1/namespaces/default/services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
    });
    await tank.advance(settleMs);
    call('DELETE', '/apis/apps/v1/namespaces/default/daemonsets/pull');
    call('POST', '/apis/apps/v1/namespaces/default/deployments', aDeployment('web', 1, image));
    await tank.advance(settleMs);
    const pod = call<{ readonly items: readonly Pod[] }>('GET', '/api/v1/namespaces/default/pods').items.find(({ spec }) => spec?.nodeName);
    watched.#pod = pod?.metadata.name ?? '';
    watched.victim = pod?.spec?.nodeName ?? '';
    return watched;
  }

  get nowMs(): number {
    return this.tank.cluster.loop.nowMs();
  }

  /**
   * Goes on to the instant after a look of the node monitor that has just seen a sign of life of the victim: silence counts from there.
   * When the monitor looks is learnt by a Node that somebody makes, because it says so.
   */
  async toLook(): Promise<void> {
    const { tank } = this;
    tank.call('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'probe' } });
    this.#looks.length = 0;
    await tank.advance(6_000);
    tank.call('DELETE', '/api/v1/nodes/probe');
    await tank.advance(20_000);
    const lookMs = this.#looks[0] ?? 0;
    for (let look = 0; look < looksMax; look++) {
      const nextMs = lookMs + Math.ceil((this.nowMs - lookMs + 1) / lookPeriodMs) * lookPeriodMs;
      await tank.cluster.loop.run(nextMs + 30);
      const ageMs = nextMs - this.#lastBeatMs;
      if (ageMs > beatWindowMs.after && ageMs < beatWindowMs.before) break;
    }
    this.happenings.length = 0;
  }

  #see({ key, current, previous }: Change<KubeObject>): void {
    const now = current?.value;
    const before = previous?.value;
    if (key.startsWith('/registry/minions/')) this.#seeNode(now as Node | undefined, before as Node | undefined);
    else if (key === `/registry/leases/kube-node-lease/${this.victim}`) this.#lastBeatMs = this.nowMs;
    else if (key.startsWith(podsPrefix)) this.#seePod(now as Pod | undefined, before as Pod | undefined);
    else if (key === '/registry/services/endpoints/default/web') this.#seeEndpoints(now as Endpoints | undefined, before as Endpoints | undefined);
    else if (key.startsWith('/registry/events/') && now !== undefined) this.#seeEvent(now as Event);
  }

  #note(what: string): void {
    this.happenings.push({ ms: this.nowMs, what });
  }

  #seeNode(now: Node | undefined, before: Node | undefined): void {
    const name = now?.metadata.name ?? before?.metadata.name ?? '';
    if (name === 'probe') return;
    const of = name === this.victim ? 'node' : 'other node';
    if (now === undefined) this.#note(`${of} gone`);
    if (now === undefined || before === undefined) return;
    for (const { type = '', status = '', lastHeartbeatTime } of now.status?.conditions ?? []) {
      const old = before.status?.conditions?.find((one) => one.type === type);
      if (old !== undefined && old.status !== status) this.#note(`${of} ${type}=${status}`);
      if (name === this.victim && type === 'Ready' && status !== 'Unknown' && old?.lastHeartbeatTime !== lastHeartbeatTime)
        this.#lastBeatMs = this.nowMs;
    }
    const taints = taintsOf(now);
    const had = taintsOf(before);
    for (const taint of had) if (!taints.includes(taint)) this.#note(`${of} -${taint}`);
    for (const taint of taints) if (!had.includes(taint)) this.#note(`${of} +${taint}`);
  }

  #seePod(now: Pod | undefined, before: Pod | undefined): void {
    const { name = '' } = (now ?? before)?.metadata ?? {};
    if (this.#pod === '') return;
    const of = name === this.#pod ? 'pod' : 'replacement';
    if (of === 'replacement' && before === undefined) {
      this.#replacement = this.#replacement === '' ? name : this.#replacement;
      this.#note('replacement created');
    }
    if (now === undefined) this.#note(`${of} gone`);
    if (now === undefined || before === undefined) return;
    if (now.metadata.deletionTimestamp !== undefined && before.metadata.deletionTimestamp === undefined) this.#note(`${of} deleted`);
    const status = readiness(now);
    // That a new pod is not ready yet is no news.
    if (status !== readiness(before) && readiness(before) !== undefined) this.#note(`${of} Ready=${status}`);
    const { reason, phase } = now.status ?? {};
    if (phase !== before.status?.phase && (phase === 'Failed' || phase === 'Succeeded')) this.#note(`${of} ${phase} ${reason ?? ''}`.trim());
    const restarts = now.status?.containerStatuses?.[0]?.restartCount ?? 0;
    if (restarts > (before.status?.containerStatuses?.[0]?.restartCount ?? 0)) this.#note(`${of} restarted`);
  }

  #seeEndpoints(now: Endpoints | undefined, before: Endpoints | undefined): void {
    const had = readyPods(before);
    const has = readyPods(now);
    for (const name of had) if (!has.includes(name)) this.#note(`${name === this.#pod ? 'pod' : 'replacement'} gets no traffic`);
    for (const name of has) if (!had.includes(name)) this.#note(`${name === this.#pod ? 'pod' : 'replacement'} gets traffic`);
  }

  #seeEvent({ reason = '', involvedObject }: Event): void {
    if (reason === 'RegisteredNode' && involvedObject?.name === 'probe') this.#looks.push(this.nowMs);
    if (involvedObject?.name === this.victim && toldReasons.includes(reason)) this.#note(`Event ${reason}`);
  }
}

/** `--node-monitor-period` and the time of a pass. */
const lookPeriodMs = 5_002;
const toldReasons: readonly string[] = ['Rebooted', 'Starting', 'NodeNotReady'];

const pullers = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'pull' },
  spec: {
    selector: { matchLabels: { app: 'pull' } },
    template: { metadata: { labels: { app: 'pull' } }, spec: { containers: [{ name: 'c', image }] } },
  },
};

function taintsOf({ spec }: Node): readonly string[] {
  return (spec?.taints ?? []).map(({ key = '', effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`);
}

function readiness({ status }: Pod): string | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status;
}

function readyPods(endpoints: Endpoints | undefined): readonly string[] {
  return (endpoints?.subsets ?? []).flatMap(({ addresses = [] }) => (addresses ?? []).map(({ targetRef }) => targetRef?.name ?? ''));
}
