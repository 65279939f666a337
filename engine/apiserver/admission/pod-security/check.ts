/** What a check of a pod is, and the words that checks have in common. Mirrors pod-security-admission policy/{checks,helpers,visitor}.go. */
import type { Container, Pod, PodSpec } from '../../../api/core/v1/types.gen.ts';

/** A pod, or a template of pods. */
export interface CheckedPod {
  readonly metadata: Pick<Pod['metadata'], 'annotations'>;
  readonly spec: PodSpec;
}

/** Why a check forbids a pod, and the values that it found. */
export interface Finding {
  readonly reason: string;
  readonly detail: string;
}

export interface CheckRevision {
  /** The first minor version that has it. */
  readonly since: number;
  check(pod: CheckedPod): Finding | undefined;
  /** A check of the level below that this one says more than. */
  readonly overrides?: string;
}

export interface Check {
  /** Checks of a level speak in the order of these. */
  readonly id: string;
  /** By rising `since`. */
  readonly revisions: readonly CheckRevision[];
}

type Visited = Pick<Container, 'name' | 'securityContext' | 'ports' | 'livenessProbe' | 'readinessProbe' | 'startupProbe' | 'lifecycle'>;

export function containersOf({ initContainers, containers, ephemeralContainers }: PodSpec): readonly Visited[] {
  return [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])];
}

export function namesOf(containers: readonly Visited[]): readonly string[] {
  return containers.map(({ name }) => name ?? '');
}

export function joinQuoted(items: readonly string[]): string {
  return items.length === 0 ? '' : `"${items.join('", "')}"`;
}

/** `container "a"`, `containers "a", "b"`. */
export function named(singular: string, names: readonly string[]): string {
  return `${plural(singular, names)} ${joinQuoted(names)}`;
}

export function plural(singular: string, items: readonly unknown[]): string {
  return items.length === 1 ? singular : `${singular}s`;
}

/** Each once, in order. */
export function distinct(items: readonly string[]): readonly string[] {
  return [...new Set(items)].sort();
}

/** The pod itself and containers that set something bad, in words; empty where nobody does. */
export function setters(isPod: boolean, containers: readonly Visited[]): string {
  return [...(isPod ? ['pod'] : []), ...(containers.length === 0 ? [] : [named('container', namesOf(containers))])].join(' and ');
}
