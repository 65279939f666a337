/** What is told of a version that will go: a Warning, annotations in the audit log, a metric. Mirrors MonitorRequest of apiserver pkg/endpoints/metrics. */
import type { KindDefinition } from '../contracts/kind.ts';

/** The release without it, as the kind's warning names it; empty where none is known. */
export function removedRelease(deprecation: string): string {
  return /unavailable in v(\d+\.\d+)\+/.exec(deprecation)?.[1] ?? '';
}

export function annotateDeprecation({ deprecation }: Pick<KindDefinition, 'deprecation'>, annotate: (key: string, value: string) => void): void {
  if (deprecation === undefined) return;
  annotate('k8s.io/deprecated', 'true');
  const release = removedRelease(deprecation);
  if (release !== '') annotate('k8s.io/removed-release', release);
}
