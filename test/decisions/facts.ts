/** What was decided about the pods of drawn clusters, as it is kept: a line of JSON for each cluster, packed. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

export interface DecisionFact {
  readonly pod: string;
  /** Where it went; absent when it found no place. */
  readonly node?: string;
  /** It is not bound yet, because its volumes are not. */
  readonly waits?: true;
  /** What its claim was promised then; it is taken away behind it. */
  readonly volume?: string;
  readonly message?: string;
  readonly nominated?: string;
  /** Pods that were evicted for it, sorted. */
  readonly victims?: readonly string[];
  /** Of all feasible nodes, where there are several. */
  readonly scores?: { readonly [node: string]: number };
  /** `request=pool/device` of what its claim was given. */
  readonly devices?: readonly string[];
}

export interface ClusterFacts {
  readonly seed: number;
  readonly pods: number;
  readonly facts: readonly DecisionFact[];
}

const kept = join(import.meta.dirname, 'facts.jsonl.gz');

export function readFacts(file = kept): readonly ClusterFacts[] {
  if (!existsSync(file)) return [];
  const lines = gunzipSync(readFileSync(file))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as ClusterFacts);
}

export function writeFacts(clusters: readonly ClusterFacts[], file = kept): void {
  const sorted = clusters.toSorted((a, b) => a.seed - b.seed);
  writeFileSync(file, gzipSync(sorted.map((cluster) => `${JSON.stringify(cluster)}\n`).join(''), { level: 9 }));
}
