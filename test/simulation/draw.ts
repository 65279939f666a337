/** What every act of the swarm draws from: requests, names, objects that exist. A refusal by the API is an answer, not a failure. */
import type { Answer, TestCluster } from '../support/cluster.ts';
import type { Promises } from './promises.ts';
import type { Thing, World } from './world.ts';

export interface Swarm {
  readonly made: TestCluster;
  readonly world: World;
  readonly promises: Promises;
  /** An integer in [0, bound). */
  below(bound: number): number;
  readonly refusals: Map<string, number>;
  /** What an act itself finds wrong with an answer. */
  complain(checker: string, text: string): void;
}

export type Act = (swarm: Swarm) => void;

/** Acts that belong together, and what a cluster needs for them to bite. */
export interface Theme {
  readonly name: string;
  readonly acts: readonly Act[];
  /** Done once, when the cluster has started. */
  readonly begin?: Act;
}

export const merge = 'application/merge-patch+json';
export const strategic = 'application/strategic-merge-patch+json';
export const core = '/api/v1';
export const apps = '/apis/apps/v1';
export const batch = '/apis/batch/v1';
export const policy = '/apis/policy/v1';
export const sim = '/apis/sim.wavetank.dev/v1alpha1';
export const images = ['nginx:1.27', 'nginx:1.28', 'busybox', 'redis:7', 'registry.invalid/nope:none', 'httpd'];
export const scripts = ['sleep 3', 'sleep 2; exit 1', 'echo hi', 'sleep 600', 'exit 3'];
export const policies = ['Foreground', 'Background', 'Orphan'];

export function ask<T = Thing>({ made, refusals, complain }: Swarm, method: string, path: string, body?: unknown, type?: string): Answer<T> {
  const answer = made.ask<T>(method, path, body, type);
  if (answer.status < 400) return answer;
  const text = (answer.object.message ?? '').replaceAll(/"[^"]*"/g, '…');
  refusals.set(text, (refusals.get(text) ?? 0) + 1);
  // Upstream says 500 too where two budgets claim a pod, and where a namespace is too young to have its service account.
  const expected = text.includes('more than one PodDisruptionBudget') || text.includes('could not be completed at this time');
  if (answer.status >= 500 && !expected) complain('the API answers', `${method} ${path}: ${answer.status} ${text}`);
  return answer;
}

export function pick<T>({ below }: Pick<Swarm, 'below'>, values: readonly T[]): T {
  return values[below(values.length)] as T;
}

export function named({ below }: Swarm, prefix: string): string {
  return `${prefix}-${below(8)}`;
}

export function inside({ below }: Swarm, base: string, resource: string): string {
  return `${base}/namespaces/${below(5) === 0 ? 'team' : 'default'}/${resource}`;
}

/** The path of one that exists outside the system's namespaces, or of none. */
export function any(swarm: Swarm, base: string, resource: string, prefix = resource): string {
  const found = swarm.world.all(prefix).filter(({ metadata }) => isOurs(metadata.namespace) && metadata.name !== 'kubernetes');
  const one = found[swarm.below(Math.max(1, found.length))];
  return one === undefined ? `${base}/namespaces/default/${resource}/none` : pathOf(base, resource, one);
}

export function anyOf<T extends Thing>({ world, below }: Swarm, prefix: string): T | undefined {
  const found = world.all<T>(prefix).filter(({ metadata }) => isOurs(metadata.namespace));
  return found[below(Math.max(1, found.length))];
}

export function pathOf(base: string, resource: string, { metadata: { namespace, name } }: Thing): string {
  return `${base}/${namespace === undefined ? '' : `namespaces/${namespace}/`}${resource}/${name}`;
}

/** Makes one that may be there already. */
export function namespace(swarm: Swarm, name: string): void {
  ask(swarm, 'POST', `${core}/namespaces`, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

export function isOurs(namespace: string | undefined): boolean {
  return namespace === undefined || namespace === 'default' || namespace === 'team';
}

export function anyNode(swarm: Swarm): string {
  const nodes = swarm.world.all('minions');
  return nodes[swarm.below(Math.max(1, nodes.length))]?.metadata.name ?? 'none';
}
