/**
 * What befalls a controller manager while a situation is played: nothing, death after one write or after each, another replica in its
 * place, somebody else who writes what it is about to write, and bad weather between it and the API server.
 */
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import type { FaultEffect } from '../../../engine/base/fault-points.ts';
import { apiErrors, apiLatency, watchBreaks, watchLagMs } from '../../../engine/base/fault-points.ts';
import type { ClusterConfig } from '../../../engine/cluster/config.ts';
import type { ControllerHost } from '../../../engine/controllers/options/family.ts';
import { mustGetDialect, presentRelease } from '../../situations/dialect.ts';
import { makePlayedCluster, type PlayedCluster, playedOptions } from '../../situations/own-world.ts';
import type { Situation } from '../../situations/situation.ts';
import { Stage } from '../../situations/stage.ts';
import { makePlayedNode, type World } from '../../situations/world.ts';
import { testHost } from '../../support/cluster.ts';
import { beginningOf, endOf, touchedBy } from './end.ts';
import { Replica } from './replica.ts';
import { type Ownership, Rival, rivalStaysMs } from './rivals.ts';
import { type Asked, ManagerProcess, type Written } from './manager-process.ts';

export interface Trial {
  readonly name: string;
  /** What is wrong between the managers and the API server. */
  readonly effects?: readonly FaultEffect[];
  /** So long that lasts; to the end when absent. */
  readonly healsAfterMs?: number;
  /** Whether the process dies after this write; `number` counts from 1 what it and those before it wrote, without Events. */
  diesAfter?(number: number): boolean;
  /** Somebody else changes an object just before it is written, each time but when it is tried again. */
  readonly conflicts?: boolean;
  /** Somebody makes what a controller is about to make, under the same name. */
  readonly rivals?: Ownership;
  /** Two replicas elect a leader; the one that leads is killed, or cut off, after these writes. */
  readonly replicas?: { readonly killedAfter: number; readonly cutOffAfter: number };
}

export const plain: Trial = { name: 'undisturbed' };
export const diesAtEachWrite: Trial = { name: 'killed after each write', diesAfter: () => true };
export const conflicts: Trial = { name: 'others write first', conflicts: true };

export const rivals: readonly Trial[] = (['the same owner', 'nobody', 'somebody else'] as const).map((ownership) => ({
  name: `others make first, for ${ownership}`,
  rivals: ownership,
}));

export function diesAfterWrite(number: number): Trial {
  return { name: `killed after write ${number}`, diesAfter: (count) => count === number };
}

export function twoReplicas(killedAfter: number, cutOffAfter: number): Trial {
  return {
    name: `two replicas, the leader killed after write ${killedAfter} and cut off after ${cutOffAfter}`,
    replicas: { killedAfter, cutOffAfter },
  };
}

const ofManager = { user: 'system:' };
export const slowServer: Trial = { name: 'a slow API server', effects: [effect(apiLatency.name, { match: {}, delayMs: 700 })] };
export const failingServer: Trial = {
  name: 'an API server that fails',
  effects: [500, 429, 503].map((code) => effect(apiErrors.name, { match: ofManager, code, share: 0.05 })),
  healsAfterMs: 60_000,
};
export const lateWatches: Trial = { name: 'late watches', effects: [effect(watchLagMs.name, 1500)] };
export const lostWatches: Trial = { name: 'lost watches', effects: [effect(watchBreaks.name, 0.4)] };

function effect(point: string, value: FaultEffect['value']): FaultEffect {
  return { point, subject: '', value };
}

export interface Outcome {
  readonly end: readonly string[];
  /** What the managers wrote that changed something, in order; Events too. */
  readonly writes: readonly Written[];
  /** Who led when, where there were two. */
  readonly replicas: readonly Replica[];
  readonly log: readonly string[];
  /** Of an undisturbed run: what was written when all was told again, and when a new process looked at it. */
  readonly afterResync: readonly Written[];
  readonly afterRestart: readonly Written[];
  readonly stuck: readonly string[];
  /** What others made before a controller did: resources. */
  readonly rivalled: ReadonlySet<string>;
}

const namespace = 's0000r0000';
/** Their annotations mean something: another generation, or what others take over. */
const labelled: ReadonlySet<string> = new Set(['deployments', 'replicasets']);
/** From the death of a process to the beginning of the next. */
const restartMs = 300;
/** Long enough for a new leader to take over: nothing happens meanwhile, and that is not yet the end. */
const restMs = 25_000;
const againMs = 60_000;
const patience = 4;

export async function play(situation: Situation, trial: Trial, config: Partial<ClusterConfig> = {}): Promise<Outcome> {
  const options = { ...config.options };
  const played = await makePlayedCluster(namespace, mustGetDialect(presentRelease), { ...config, options: { ...options, controllers: '' } });
  return new TrialRun(played, situation, trial, { ...playedOptions, ...options }).run();
}

class TrialRun {
  readonly #played: PlayedCluster;
  readonly #situation: Situation;
  readonly #trial: Trial;
  readonly #options: Readonly<Record<string, string>>;
  readonly #writes: Written[] = [];
  readonly #replicas: Replica[] = [];
  readonly #log: string[] = [];
  /** Objects whose next write is the second try. */
  readonly #touched = new Set<string>();
  readonly #rival: Rival | undefined;
  #process: ManagerProcess | undefined;
  #processes = 0;
  #count = 0;
  #changes = 0;
  /** A process that should die dies when its write is done. */
  #isOver = false;

  constructor(played: PlayedCluster, situation: Situation, trial: Trial, options: Readonly<Record<string, string>>) {
    this.#played = played;
    this.#situation = situation;
    this.#trial = trial;
    this.#options = options;
    this.#rival = trial.rivals && new Rival(played.made.cluster, played.made.door, trial.rivals);
  }

  async run(): Promise<Outcome> {
    const { made, world } = this.#played;
    const { cluster } = made;
    cluster.store.watch({
      prefix: '',
      onChanges: (all) => {
        for (const { key, current } of all) {
          freeze(current?.value);
          if (key.includes(`/${namespace}`) && !key.startsWith('/registry/leases/')) this.#changes++;
        }
      },
    });
    const beginning = beginningOf(cluster);
    this.#begin();
    if (this.#trial.replicas !== undefined) this.#begin();
    const patient: World = { ...world, changes: () => this.#changes, restMs: () => restMs, patience };
    await makePlayedNode(patient);
    const stage = new Stage(patient, this.#situation, namespace);
    const facts = await stage.play();
    // What was tried in vain is tried again, ever later.
    if (this.#trial.healsAfterMs !== undefined) await stage.wait(againMs + this.#trial.healsAfterMs);
    if (this.#rival !== undefined) await stage.wait(againMs + rivalStaysMs);
    this.#isOver = true;
    this.#rival?.end();
    const end = endOf(cluster, namespace, beginning);
    const stuck = facts.filter(({ of }) => of === 'stuck').map(({ fact }) => JSON.stringify(fact));
    const told = {
      end,
      writes: [...this.#writes],
      replicas: this.#replicas,
      log: this.#log,
      stuck,
      rivalled: this.#rival?.resources ?? new Set<string>(),
    };
    const isPlain = this.#trial === plain;
    const afterResync = isPlain ? await this.#again(stage, () => this.#process?.resync()) : [];
    const afterRestart = isPlain ? await this.#again(stage, () => this.#restart()) : [];
    return { ...told, afterResync, afterRestart };
  }

  /** What is written because of something that changes nothing, while kubelets go on to live. */
  async #again(stage: Stage, act: () => void): Promise<readonly Written[]> {
    const { cluster } = this.#played.made;
    const before = this.#writes.length;
    cluster.loop.enter(act);
    await stage.wait(againMs);
    return this.#writes.slice(before).filter(({ request }) => request.resource !== 'events');
  }

  #restart(): void {
    this.#process?.kill();
    this.#begin();
  }

  #begin(): void {
    const { replicas, effects = [], healsAfterMs } = this.#trial;
    const { made } = this.#played;
    const number = ++this.#processes;
    const process = new ManagerProcess({
      name: `manager-${number}`,
      cluster: made.cluster,
      pipeline: made.door,
      host: hostOf(made.cluster.cloud),
      options: this.#options,
      seed: number,
      effects,
      ...(healsAfterMs === undefined ? {} : { healsAfterMs }),
      onAsked: (asked) => this.#onAsked(asked),
      onWritten: (written) => this.#onWritten(written),
      onError: (line) => this.#log.push(`${process.name} ${line}`),
    });
    if (replicas === undefined) {
      this.#process = process;
      process.begin();
    } else this.#replicas.push(new Replica(process, made.cluster.loop));
  }

  /** Whoever writes meanwhile: the object has another revision than the controller has seen. */
  #onAsked({ request }: Asked): void {
    if (!this.#isOver) this.#rival?.precede(request);
    const { verb, group, version, resource, namespace: where, name } = request;
    if (this.#trial.conflicts !== true || name === undefined || verb === 'create' || resource === 'events' || this.#isOver) return;
    const key = `${verb} ${group}/${resource}/${where ?? ''}/${name}`;
    if (this.#touched.delete(key)) return;
    this.#touched.add(key);
    const { pipeline, identity } = this.#outside;
    try {
      void pipeline.handle({
        verb: 'patch',
        group,
        version,
        resource,
        ...(where === undefined ? {} : { namespace: where }),
        name,
        patchType: 'merge',
        body: { metadata: { [labelled.has(resource) ? 'labels' : 'annotations']: { [touchedBy]: String(this.#writes.length) } } },
        identity,
        userAgent: 'other/1',
        causes: [],
      });
    } catch {
      // It has gone: the controller will see that, too.
    }
  }

  get #outside() {
    return { pipeline: this.#played.made.door, identity: { name: 'other', groups: ['system:masters'] } };
  }

  #onWritten(written: Written): void {
    if (written.request.resource === 'leases' && written.controller === 'leader-election') return;
    if (written.changed) this.#writes.push(written);
    if (written.request.resource === 'events' || !written.changed || this.#isOver) return;
    const number = ++this.#count;
    const { replicas } = this.#trial;
    if (this.#trial.diesAfter?.(number) === true) this.#die();
    if (number === replicas?.killedAfter) {
      const replica = this.#replicas.find(({ process }) => process.name === written.process);
      replica?.process.kill();
      this.#begin();
    }
    if (number === replicas?.cutOffAfter) this.#replicas.find(({ process }) => process.name === written.process)?.cutOff();
  }

  #die(): void {
    this.#process?.kill();
    this.#played.made.cluster.loop.soon(restartMs, 'contract', () => this.#begin());
  }
}

/** What a process lends to its controllers, as the host of tests has it. */
function hostOf(cloud: ControllerHost['cloud']): ControllerHost {
  const { rootCaPem, hash, certificates, hmac, signSecretToken: sign } = testHost();
  return {
    rootCaPem,
    sha256: (text) => hash(text),
    ...(cloud && { cloud }),
    ...(certificates && { certificates }),
    ...(hmac && { hmacSha256: hmac }),
    ...(sign && { tokenSecrets: { sign, forEveryAccount: false } }),
  };
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  Object.values(value as KubeObject).forEach(freeze);
}
