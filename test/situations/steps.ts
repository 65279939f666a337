/** The steps that situations are made of. Objects of the core of a situation are named `resource/name`. */
import { resourceOf } from './resources.ts';
import type { Step } from './situation.ts';
import { podStatus } from './stage.ts';
import type { PodUsage } from './usage.ts';
import { type Thing, timeText } from './world.ts';

export type Draft = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly name?: string; readonly [field: string]: unknown };
} & {
  readonly [field: string]: unknown;
};

export const mergePatch = 'application/merge-patch+json';

export function create(...objects: readonly Draft[]): Step {
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name ?? ''}`).join(', ');
  return {
    text: `create ${names}`,
    run: async (stage) => {
      for (const { status, ...object } of objects) {
        const ref = resourceOf(object.kind);
        const { object: made } = await stage.ask('POST', ref, { ...object, ...(object.kind === 'Node' || object.kind === 'Pod' ? { status } : {}) });
        if (status !== undefined && object.kind !== 'Node') await stage.ask('PATCH', `${ref}/${made.metadata.name}/status`, { status }, mergePatch);
      }
    },
  };
}

/** A merge patch; `deployments/web` or `pods/a/status`. */
export function patch(ref: string, body: object): Step {
  return { text: `patch ${ref}`, run: async (stage) => void (await stage.ask('PATCH', ref, body, mergePatch)) };
}

/** A JSON patch, for what lists have. */
export function edit(ref: string, ...operations: readonly object[]): Step {
  return { text: `edit ${ref}`, run: async (stage) => void (await stage.ask('PATCH', ref, operations, 'application/json-patch+json')) };
}

export function remove(ref: string, options: object = {}): Step {
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...options };
  return { text: `delete ${ref}`, run: async (stage) => void (await stage.ask('DELETE', ref, body)) };
}

/** A create below an object: `pods/a/eviction`. */
export function post(ref: string, body: object): Step {
  return { text: `post ${ref}`, run: async (stage) => void (await stage.ask('POST', ref, body)) };
}

/** A request to evict a pod. */
export function evict(pod: string, more: object = {}): Step {
  return post(`pods/${pod}/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod }, ...more });
}

/** Waits until the object has what is given, at any depth; a function may judge it instead. */
export function until(ref: string, wanted: object | ((object: Thing) => boolean), limitSeconds?: number): Step {
  const text = `until ${ref} ${typeof wanted === 'function' ? 'is as wanted' : JSON.stringify(wanted)}`;
  const holds = (object: Thing | undefined): boolean => object !== undefined && (typeof wanted === 'function' ? wanted(object) : has(object, wanted));
  return { text, run: (stage) => stage.until(text, () => holds(stage.get(ref)), seconds(limitSeconds)) };
}

export function untilGone(ref: string, limitSeconds?: number): Step {
  const text = `until ${ref} is gone`;
  return { text, run: (stage) => stage.until(text, () => stage.get(ref) === undefined, seconds(limitSeconds)) };
}

/** Waits until there are so many objects of a resource that have what is given. */
export function untilCount(resource: string, count: number, wanted: object = {}, limitSeconds?: number): Step {
  const text = `until ${count} ${resource} have ${JSON.stringify(wanted)}`;
  return {
    text,
    run: (stage) => stage.until(text, () => stage.list(resource).filter((one) => has(one, wanted)).length === count, seconds(limitSeconds)),
  };
}

/** Waits for an Event with this reason. */
export function untilEvent(reason: string, limitSeconds?: number): Step {
  const text = `until event ${reason}`;
  return { text, run: (stage) => stage.until(text, () => stage.list('events').some((event) => event['reason'] === reason), seconds(limitSeconds)) };
}

export function wait(durationSeconds: number): Step {
  return { text: `wait ${durationSeconds} s`, run: (stage) => stage.wait(durationSeconds * 1000) };
}

/** Waits until nothing happens any more. */
export function rest(): Step {
  return { text: 'rest', run: (stage) => stage.rest() };
}

/** Waits until nothing happens any more, and looks. */
export function look(name: string): Step {
  return {
    text: `look ${name}`,
    run: async (stage) => {
      await stage.rest();
      stage.look(name);
    },
  };
}

export interface Played {
  /** Only pods with these fields. */
  readonly of?: object;
  /** How many of them, in the order of names; all when absent. */
  readonly count?: number;
}

function chosen(stage: Parameters<Step['run']>[0], { of = {}, count }: Played): readonly Thing[] {
  const all = stage.list('pods').filter((pod) => has(pod, stage.filled(of)));
  return all.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)).slice(0, count);
}

function eachPod(text: string, played: Played, act: (stage: Parameters<Step['run']>[0], pod: Thing) => Promise<void>): Step {
  return {
    text,
    run: async (stage) => {
      for (const pod of chosen(stage, played)) await act(stage, pod);
    },
  };
}

/** The scheduler binds pods, and kubelets start them: they are ready. */
export function runPods(played: Played = {}): Step {
  return eachPod('run pods', { ...played, of: { ...played.of, status: { phase: 'Pending' } } }, (stage, pod) =>
    stage.runPod(pod, stage.readyStatus(pod)),
  );
}

/** Pods run, and are not ready. */
export function startPods(played: Played = {}): Step {
  return eachPod('start pods', played, (stage, pod) => stage.runPod(pod, podStatus(pod, timeText(stage.world), stage.nextAddress(), false)));
}

export interface Ended {
  readonly exitCode?: number;
  readonly reason?: string;
  readonly conditions?: readonly object[];
}

/** Pods come to an end: the phase, and how their containers ended. */
export function endPods(
  phase: 'Succeeded' | 'Failed',
  played: Played = {},
  { exitCode = phase === 'Failed' ? 1 : 0, reason, conditions = [] }: Ended = {},
): Step {
  return eachPod(`pods become ${phase}`, { of: { status: { phase: 'Running' } }, ...played }, async (stage, pod) => {
    const time = timeText(stage.world);
    const { containers = [] } = pod['spec'] as { readonly containers?: readonly { readonly name: string; readonly image?: string }[] };
    const state = { terminated: { exitCode, reason: phase === 'Failed' ? 'Error' : 'Completed', startedAt: time, finishedAt: time } };
    const containerStatuses = containers.map(({ name, image = '' }) => ({
      name,
      image,
      imageID: image,
      ready: false,
      restartCount: 0,
      started: false,
      state,
    }));
    const given = [...conditions, ...['Ready', 'ContainersReady'].map((type) => ({ type, status: 'False', reason: 'PodCompleted' }))];
    const status = { phase, reason, containerStatuses, conditions: given.map((condition) => ({ lastTransitionTime: time, ...condition })) };
    await stage.runPod(pod, status);
  });
}

/** What the kubelet says of chosen pods, as a strategic patch of their status. */
export function podsSay(status: object, played: Played = {}): Step {
  return eachPod('pods say', played, (stage, pod) => stage.runPod(pod, stage.filled(status)));
}

/** What each container of chosen pods uses from now on; of all pods, later ones too, when none are chosen. */
export function podsUse(usage: PodUsage, played?: Played): Step {
  return {
    text: `pods use ${JSON.stringify(usage)}`,
    run: (stage) => {
      const names = played === undefined ? [''] : chosen(stage, played).map(({ metadata }) => metadata.name);
      for (const name of names) stage.world.usage.set(stage.namespace, name, usage);
      return Promise.resolve();
    },
  };
}

/** Users delete pods. */
export function deletePods(played: Played = {}): Step {
  return eachPod('delete pods', played, async (stage, { metadata: { name } }) => void (await stage.ask('DELETE', `pods/${name}`)));
}

/** Kubelets have ended pods that were deleted, where the situation keeps those. */
export function endDeletedPods(played: Played = {}): Step {
  return eachPod('end deleted pods', played, async (stage, { metadata: { name, deletionTimestamp } }) => {
    if (deletionTimestamp !== undefined) await stage.endPod(name);
  });
}

/** A merge patch of chosen pods. */
export function patchPods(body: object, played: Played = {}): Step {
  return eachPod('patch pods', played, async (stage, { metadata: { name } }) => void (await stage.ask('PATCH', `pods/${name}`, body, mergePatch)));
}

/** The kubelet of a node begins, or goes on, to renew its lease. */
export function nodeLives(name: string): Step {
  return {
    text: `node ${name} lives`,
    run: async (stage) => {
      const node = stage.filled(name);
      stage.aliveNodes.add(node);
      await stage.renew(node);
    },
  };
}

/** The kubelet of a node falls silent. */
export function nodeDies(name: string): Step {
  return { text: `node ${name} dies`, run: async (stage) => void stage.aliveNodes.delete(stage.filled(name)) };
}

/** Whether a value has all that is wanted, at any depth. Lists need an item for each one wanted. */
export function has(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return Array.isArray(value) && wanted.every((item) => value.some((one) => has(one, item)));
  if (typeof wanted !== 'object' || wanted === null) return value === wanted || (wanted === null && value === undefined);
  if (typeof value !== 'object' || value === null) return Object.values(wanted).every((field) => field === null || field === 0);
  return Object.entries(wanted).every(([name, field]) => {
    const there = (value as Readonly<Record<string, unknown>>)[name];
    return has(there, field) || (field === 0 && there === undefined);
  });
}

function seconds(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : limit * 1000;
}
