/** One situation as it is played: its namespace, the world it is in, and the kubelet that the test plays. */
import { collectFacts, type Fact } from './facts.ts';
import { Inexpressible } from './dialect.ts';
import { isClusterWide } from './resources.ts';
import type { Situation } from './situation.ts';
import { beat, heartbeatMs, playedNode, type Answered, type Thing, timeText, type World } from './world.ts';

/** A step waited in vain. */
export class Stuck extends Error {}

/** Of one length, so that none begins with another: `s0012r0417`. */
export const situationNamespace = /^s\d{4}r\d{4}/;
const pollMs = 100;
const untilMs = 90_000;
const mergePatchType = 'application/merge-patch+json';

export class Stage {
  readonly world: World;
  readonly situation: Situation;
  readonly namespace: string;
  readonly facts: Fact[] = [];
  /** Nodes of the situation that are alive. */
  readonly aliveNodes = new Set<string>();
  #lastHeartbeatMs: number;
  #addresses = 0;

  constructor(world: World, situation: Situation, namespace: string) {
    this.world = world;
    this.situation = situation;
    this.namespace = namespace;
    this.#lastHeartbeatMs = world.nowMs();
  }

  /** Plays all steps and looks at what is there at the end. */
  async play(): Promise<readonly Fact[]> {
    const { world, namespace } = this;
    await world.ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const first = world.dialect.tokenSecrets ? 'secrets' : 'configmaps';
    const account = (): boolean => world.list('serviceaccounts', namespace).length > 0 && world.list(first, namespace).length > 0;
    await this.until('the namespace is ready', account);
    for (const step of this.situation.steps) {
      try {
        await step.run(this);
      } catch (error) {
        if (!(error instanceof Stuck)) throw error;
        this.facts.push({ look: 'end', of: 'stuck', fact: { step: step.text } });
        break;
      }
    }
    await this.rest();
    this.look('end');
    return this.facts;
  }

  /** What is there now becomes facts; Events do so at the end alone, because they come late. */
  look(name: string): void {
    this.facts.push(...collectFacts(this.world, this.namespace, name, this.situation.options));
  }

  /** A label value that no other situation has, and that is the same in every run: where hashes depend on it. */
  get #own(): string {
    return this.situation.name.replaceAll(/[^a-z]+/g, '-').slice(0, 60);
  }

  /** A text or object of a step with the namespace in its place. */
  filled<T>(value: T): T {
    const text = JSON.stringify(value).replaceAll('<ns>', this.namespace).replaceAll('<now>', timeText(this.world)).replaceAll('<own>', this.#own);
    return JSON.parse(text) as T;
  }

  /** Asks in the situation's namespace; a refusal is a fact. */
  async ask(method: string, ref: string, body?: unknown, contentType?: string): Promise<Answered> {
    const { path, query } = this.#placed(ref);
    const filled = body === undefined ? undefined : this.world.dialect.said(this.filled(body));
    for (let tries = 0; ; tries++) {
      const answered = await this.world.ask(method, `${path}${query}`, filled, contentType);
      // A conflict of a step with a controller is a matter of time.
      if (answered.status === 409 && method !== 'POST' && tries < 10) continue;
      const { message = '', reason = '' } = answered.object;
      if (answered.status >= 400)
        this.facts.push({
          look: 'end',
          of: 'refused',
          fact: { request: `${method} ${ref}`, status: answered.status, reason, message: this.#hidden(message) },
        });
      else this.#mustHaveTaken(answered.object, filled, contentType);
      return answered;
    }
  }

  /** What the release drops in silence it cannot be told. */
  #mustHaveTaken(answered: Thing, sent: unknown, contentType = 'application/json'): void {
    const isObject = contentType === 'application/json' && (sent as Thing | undefined)?.kind === answered.kind;
    if (!isObject && contentType !== mergePatchType) return;
    const lacking = this.world.dialect.lacking(sent, answered);
    if (lacking !== undefined) throw new Inexpressible(`${answered.kind ?? ''}${lacking} is dropped`);
  }

  list(resource: string): readonly Thing[] {
    const found = this.world.list(resource, this.namespace);
    return isClusterWide(resource) ? found.filter(({ metadata }) => metadata.name.startsWith(this.namespace)) : found;
  }

  get(ref: string): Thing | undefined {
    const [resource = '', name = ''] = this.filled(ref).split('/');
    return this.world.list(resource, this.namespace).find(({ metadata }) => metadata.name === name);
  }

  /** Lets time pass until the condition holds; the kubelet does its part. */
  async until(text: string, holds: () => boolean, limitMs = untilMs): Promise<void> {
    const endMs = this.world.nowMs() + limitMs * (this.world.patience ?? 1);
    for (;;) {
      await this.#kubelet();
      if (holds()) return;
      if (this.world.nowMs() >= endMs) throw new Stuck(text);
      await this.world.sleep(pollMs);
    }
  }

  /** Lets time pass. */
  async wait(ms: number): Promise<void> {
    const endMs = this.world.nowMs() + ms;
    await this.until('time passes', () => this.world.nowMs() >= endMs, ms + 1000);
  }

  /** Lets time pass until nothing has changed for a while. */
  async rest(): Promise<void> {
    let before = -1;
    let sinceMs = this.world.nowMs();
    const endMs = sinceMs + 100_000 * (this.world.patience ?? 1);
    await this.until(
      'nothing changes',
      () => {
        const now = this.world.changes(this.namespace);
        const nowMs = this.world.nowMs();
        if (now !== before) sinceMs = nowMs;
        before = now;
        return nowMs - sinceMs >= this.world.restMs() || nowMs >= endMs;
      },
      101_000,
    );
  }

  /** A pod comes to a node, if it is on none, and its kubelet says how it is. */
  async runPod(pod: Thing, status: object): Promise<void> {
    await this.#bind(pod);
    await this.world.ask(
      'PATCH',
      this.world.dialect.path('pods', this.namespace, pod.metadata.name, 'status'),
      { status },
      'application/strategic-merge-patch+json',
    );
  }

  /** A node's kubelet renews its lease. */
  async renew(node: string): Promise<void> {
    await beat(this.world, node);
  }

  /** An address that no other pod of the situation has. */
  nextAddress(): string {
    const number = ++this.#addresses;
    return `10.77.${Math.floor(number / 250)}.${(number % 250) + 1}`;
  }

  async #bind({ metadata: { name }, spec }: Thing): Promise<void> {
    const { nodeName, affinity } = spec as { readonly nodeName?: string; readonly affinity?: object };
    if (nodeName !== undefined) return;
    const target = { apiVersion: 'v1', kind: 'Node', name: nodeOfAffinity(affinity) ?? playedNode };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace: this.namespace }, target };
    await this.world.ask('POST', this.world.dialect.path('pods', this.namespace, name, 'binding'), binding);
  }

  async #kubelet(): Promise<void> {
    const { runsPods = false, keepsPods = false } = this.situation.options;
    const nowMs = this.world.nowMs();
    if (nowMs - this.#lastHeartbeatMs >= heartbeatMs) {
      this.#lastHeartbeatMs = nowMs;
      for (const node of this.aliveNodes) await beat(this.world, node);
    }
    if (!runsPods && keepsPods) return;
    for (const pod of this.list('pods')) {
      const { name, deletionTimestamp } = pod.metadata;
      if (deletionTimestamp !== undefined) {
        if (!keepsPods) await this.endPod(name);
      } else if (runsPods && (pod['status'] as { readonly phase?: string }).phase === 'Pending' && !isGated(pod))
        await this.runPod(pod, this.readyStatus(pod));
    }
  }

  /** The kubelet has ended a pod that was deleted. */
  async endPod(name: string): Promise<void> {
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 };
    await this.world.ask('DELETE', this.world.dialect.path('pods', this.namespace, name), options);
  }

  /** The status of a pod whose containers run and are ready. */
  readyStatus(pod: Thing): object {
    return podStatus(pod, timeText(this.world), this.nextAddress());
  }

  #placed(ref: string): { readonly path: string; readonly query: string } {
    const [place = '', query = ''] = this.filled(ref).split('?');
    const [resource = '', ...rest] = place.split('/');
    return { path: this.world.dialect.path(resource, this.namespace, ...rest), query: query === '' ? '' : `?${query}` };
  }

  #hidden(text: string): string {
    // Groups of a Job are named after its uid.
    return text
      .replaceAll(this.namespace, '<ns>')
      .replace(/(?<=PodGroup \\?"work)-[b-z2-9]{6,10}-work-pgt-0-[b-z2-9]{6,10}/, '-<hash>-work-pgt-0-<hash>');
  }
}

interface PodSpec {
  readonly containers?: readonly { readonly name: string; readonly image?: string }[];
}

/** The status of a pod whose containers run; they are ready unless said otherwise. */
export function podStatus(pod: Thing, time: string, address: string, isReady = true): object {
  const condition = (type: string, status: boolean): object => ({ type, status: status ? 'True' : 'False', lastTransitionTime: time });
  const { containers = [] } = pod['spec'] as PodSpec;
  return {
    phase: 'Running',
    conditions: [condition('PodScheduled', true), condition('Initialized', true), condition('ContainersReady', isReady), condition('Ready', isReady)],
    podIP: address,
    podIPs: [{ ip: address }],
    startTime: time,
    containerStatuses: containers.map(({ name, image = '' }) => {
      return { name, image, imageID: image, ready: isReady, restartCount: 0, started: true, state: { running: { startedAt: time } } };
    }),
  };
}

function isGated({ spec }: Thing): boolean {
  return ((spec as { readonly schedulingGates?: readonly object[] }).schedulingGates ?? []).length > 0;
}

/** The node that a DaemonSet wants its pod on. */
function nodeOfAffinity(affinity: object | undefined): string | undefined {
  const found = /"key":"metadata\.name","operator":"In","values":\["([^"]+)"\]/.exec(JSON.stringify(affinity ?? {}));
  return found?.[1];
}
