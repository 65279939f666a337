/** What becomes of pods that a drain asks to leave, told from what is stored, by the rules of the API server's eviction. */
import type { Pod } from '../../engine/api/core/v1/types.gen.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { texts } from '../texts/texts.ts';

export interface Budget extends KubeObject {
  readonly spec?: { readonly selector?: Selector; readonly unhealthyPodEvictionPolicy?: string };
  readonly status?: { readonly disruptionsAllowed?: number; readonly currentHealthy?: number; readonly desiredHealthy?: number };
}
interface Selector {
  readonly matchLabels?: { readonly [name: string]: string };
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[];
}
export interface Drained {
  readonly nodes: number;
  /** Names of those whose kubelet is not heard. */
  readonly silent: readonly string[];
  readonly go: readonly Pod[];
  readonly ignored: number;
  readonly budgets: readonly Budget[];
  /** Releases before 1.21 ask budgets also about pods that are pending, not ready or already leaving. */
  readonly asksAboutAll: boolean;
}

const words = texts.acts.forecast;

/** Of several nodes a budget counts the pods of all. */
export function forecastOf({ nodes, silent, go, ignored, budgets, asksAboutAll }: Drained): readonly string[] {
  const said = [words.drain(nodes, go.length, ignored)];
  const leaving = go.filter(isLeaving).length;
  if (leaving > 0) said.push(words.leaving(leaving));
  if (silent.length > 0 && go.length > 0) said.push(words.silent(silent));
  const running = go.filter((pod) => !isOver(pod));
  const unowned = running.filter((pod) => !isLeaving(pod) && !isControlled(pod)).length;
  if (unowned > 0) said.push(words.unowned(unowned));
  const local = running.filter(({ spec }) => spec?.volumes?.some(({ emptyDir }) => emptyDir !== undefined) === true).length;
  if (local > 0) said.push(words.local(local));
  const asked = running.filter((pod) => asksAboutAll || (pod.status?.phase !== 'Pending' && !isLeaving(pod)));
  return [...said, ...refusals(asked, budgets, nodes, asksAboutAll)];
}

/** Whom one budget covers is counted against it; whom several cover no eviction takes. */
function refusals(asked: readonly Pod[], budgets: readonly Budget[], nodes: number, asksAboutAll: boolean): readonly string[] {
  const counted = new Map<Budget, number>();
  const stuck = new Map<string, number>();
  for (const pod of asked) {
    const over = budgets.filter(
      ({ metadata, spec }) => metadata.namespace === pod.metadata.namespace && selects(spec?.selector, pod.metadata.labels ?? {}),
    );
    const [budget] = over;
    if (budget === undefined) continue;
    if (over.length > 1) {
      const names = over.map(nameOf).join(', ');
      stuck.set(names, (stuck.get(names) ?? 0) + 1);
    } else if (asksAboutAll || isReady(pod) || !sparesUnready(budget)) counted.set(budget, (counted.get(budget) ?? 0) + 1);
  }
  const short = [...counted].filter(([{ status }, count]) => count > (status?.disruptionsAllowed ?? 0));
  return [
    ...[...stuck].map(([names, count]) => words.manyBudgets(names, count)),
    ...short.map(([budget, count]) => words.budget(nameOf(budget), budget.status?.disruptionsAllowed ?? 0, count, nodes)),
  ];
}

function nameOf({ metadata }: Budget): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** What has finished is taken away also of DaemonSets, and breaks no budget. */
export function isOver({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

export function isLeaving({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function isControlled({ metadata }: Pod): boolean {
  return metadata.ownerReferences?.some(({ controller }) => controller === true) === true;
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
}

function sparesUnready({ spec, status }: Budget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const desired = status?.desiredHealthy ?? 0;
  return desired > 0 && (status?.currentHealthy ?? 0) >= desired;
}

/** An absent selector of a budget selects nothing, an empty one everything. */
function selects(selector: Selector | undefined, labels: { readonly [name: string]: string }): boolean {
  if (selector === undefined) return false;
  const own = new Map(Object.entries(labels));
  const isEqual = Object.entries(selector.matchLabels ?? {}).every(([name, value]) => own.get(name) === value);
  return isEqual && (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => meets(own.get(key), operator, values));
}

function meets(value: string | undefined, operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}
