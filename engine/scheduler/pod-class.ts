/**
 * Pods that are equal in all that scheduling looks at form a class. What plugins work out for one holds for all: their states, and
 * per node the verdict and the raw scores, each until the node's generation changes. A class made anew for every pod gives the
 * same results, only slower.
 */
import { featuresForScheduling } from '../component-helpers/declared-features.ts';
import type { PodInfo } from './framework/pod-info.ts';
import type { Status } from './framework/status.ts';
import type { Profile } from './profile.ts';

export class PodClass {
  readonly profile: Profile;
  readonly states: readonly unknown[];
  /** Per plugin: its filter has nothing to say in this cycle. */
  readonly filterSkipped: boolean[];
  readonly filterGenerations: Float64Array;
  readonly verdicts: (Status | undefined)[];
  readonly scoreGenerations: Float64Array;
  /** Raw scores of node-local plugins by slot, per plugin. */
  readonly scores: readonly Float64Array[];

  constructor(profile: Profile, pod: PodInfo, slots: number) {
    this.profile = profile;
    this.states = profile.entries.map(({ plugin }) => plugin.classState?.(pod));
    this.filterSkipped = profile.entries.map(() => false);
    this.filterGenerations = new Float64Array(slots);
    this.verdicts = new Array<Status | undefined>(slots);
    this.scoreGenerations = new Float64Array(slots);
    this.scores = profile.entries.map(({ plugin }) => new Float64Array(plugin.score !== undefined && plugin.crossNode !== true ? slots : 0));
  }
}

const classesMax = 256;

/** The classes seen of late. */
export class PodClasses {
  readonly #classes = new Map<string, PodClass>();
  #version = '';

  clear(): void {
    this.#classes.clear();
  }

  /** `version` covers what all classes depend on; another one drops them all. */
  get(version: string, key: string, create: () => PodClass): PodClass {
    if (version !== this.#version) {
      this.#classes.clear();
      this.#version = version;
    }
    const known = this.#classes.get(key);
    const found = known ?? create();
    if (known !== undefined && this.#classes.size < classesMax) return found;
    this.#classes.delete(key);
    this.#classes.set(key, found);
    if (this.#classes.size > classesMax) this.#classes.delete(this.#classes.keys().next().value as string);
    return found;
  }
}

/** Labels count only where some selector may ask for them, so that the pods of a StatefulSet share a class. */
export function classKey(profile: Profile, { pod, labels, namespace }: PodInfo, defaultSelector: string, podsWithAffinity: number): string {
  const { spec } = pod;
  const labelsMatter = podsWithAffinity > 0 || (spec?.topologySpreadConstraints?.length ?? 0) > 0 || spec?.affinity !== undefined;
  const containers = (list: NonNullable<typeof spec>['containers'] | undefined): unknown =>
    list?.map(({ name, image, resources, ports, restartPolicy }) => [name, image, resources?.requests, ports, restartPolicy]);
  const facts = [
    profile.schedulerName,
    namespace,
    labelsMatter ? labels : 0,
    defaultSelector,
    containers(spec?.containers),
    containers(spec?.initContainers),
    spec?.nodeName,
    spec?.nodeSelector,
    spec?.affinity,
    spec?.tolerations,
    spec?.topologySpreadConstraints,
    spec?.overhead,
    spec?.resources,
    featuresForScheduling(pod),
    spec?.volumes?.map((volume) => volume.image?.reference),
    pod.status?.containerStatuses?.map((status) => status.allocatedResources),
  ];
  return factsText(facts);
}

/** Tolerations may last longer than a double counts. A replacer is called for each value, so only then there is one. */
function factsText(facts: readonly unknown[]): string {
  try {
    return JSON.stringify(facts);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(facts, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
  }
}
