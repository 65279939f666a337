/** What checks of pod security policies share: how a fault reads, ranges of ids, patterns. Mirrors pkg/security/podsecuritypolicy of release 1.13. */
import type { IDRange, PodSecurityPolicy } from '../../../api/extensions/v1beta1/types.gen.ts';
import type { Container, Pod } from '../../../api/core/v1/types.gen.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { getOwn } from '../../../base/dictionary.ts';

export type Rules = NonNullable<PodSecurityPolicy['spec']>;
/** Texts of faults, the first met first. */
export type Texts = string[];

export const seccompPod = 'seccomp.security.alpha.kubernetes.io/pod';
export const seccompContainer = 'container.seccomp.security.alpha.kubernetes.io/';
export const appArmorContainer = 'container.apparmor.security.beta.kubernetes.io/';

/** `shown` is the value as Go prints it. */
export function invalidText(path: string, shown: string, why: string): string {
  return `${path}: Invalid value: ${shown}: ${why}`;
}

export function forbiddenText(path: string, why: string): string {
  return `${path}: Forbidden: ${why}`;
}

export function isWithin(id: number | bigint, ranges: readonly IDRange[]): boolean {
  return ranges.some(({ min, max }) => id >= min && id <= max);
}

export function rangesText(ranges: readonly IDRange[]): string {
  return `[${ranges.map(({ min, max }) => `{${min} ${max}}`).join(' ')}]`;
}

/** `net.*` is everything that begins so. */
export function matchesOne(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern));
}

export function annotationOf({ metadata }: Pod | PodSecurityPolicy, key: string): string {
  return getOwn(metadata.annotations, key) ?? '';
}

export function goStrings(type: string, values: readonly string[] | undefined): string {
  return values === undefined ? `[]${type}(nil)` : `[]${type}{${values.map(goQuote).join(', ')}}`;
}

/** Containers with where they stand. */
export function placedContainers(pod: Pod): readonly { readonly container: Container; readonly path: string }[] {
  const placed = (name: 'initContainers' | 'containers') =>
    (pod.spec?.[name] ?? []).map((container, index) => ({ container, path: `spec.${name}[${index}]` }));
  return [...placed('initContainers'), ...placed('containers')];
}

/** A policy that cannot be followed is passed over. */
export function isUsable({ runAsUser, runAsGroup, seLinux, fsGroup, supplementalGroups }: Rules): boolean {
  const lacksRanges = (strategy: { readonly rule?: string; readonly ranges?: readonly IDRange[] } | undefined, rules: readonly string[]): boolean =>
    rules.includes(strategy?.rule ?? '') && !strategy?.ranges?.length;
  const groups = ['MustRunAs', 'MayRunAs'];
  return !(
    lacksRanges(runAsUser, ['MustRunAs']) ||
    lacksRanges(runAsGroup, groups) ||
    lacksRanges(fsGroup, groups) ||
    lacksRanges(supplementalGroups, groups) ||
    (seLinux?.rule === 'MustRunAs' && seLinux.seLinuxOptions === undefined)
  );
}
