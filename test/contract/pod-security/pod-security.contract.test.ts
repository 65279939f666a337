/** What every level says to a pod in every version, as the library of the release said it (`judge/main.go` records it). */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { decodeJson } from '../../../engine/apimachinery/serializer/json.ts';
import { detailOf, evaluate, reasonOf } from '../../../engine/apiserver/admission/pod-security/evaluator.ts';
import type { Level, PolicyVersion } from '../../../engine/apiserver/admission/pod-security/policy.ts';

/** Level, the first version that says so, reasons, details. */
type Verdict = readonly [level: Level, version: string, reason: string, detail: string];

interface Fact {
  readonly pod: Pod;
  readonly verdicts: readonly Verdict[];
}

const versions: readonly PolicyVersion[] = [...Array(38).keys(), 'latest'];

function verdictsOf({ metadata, spec }: Pod): readonly Verdict[] {
  return (['baseline', 'restricted'] as const).flatMap((level) => {
    const said: Verdict[] = [];
    for (const version of versions) {
      const findings = spec === undefined ? [] : evaluate({ level, version }, { metadata: metadata ?? {}, spec });
      const verdict: Verdict = [level, String(version), reasonOf(findings), detailOf(findings)];
      if (said.at(-1)?.[2] !== verdict[2] || said.at(-1)?.[3] !== verdict[3]) said.push(verdict);
    }
    return said;
  });
}

describe('pods before the pod security standards', () => {
  const lines = gunzipSync(readFileSync(new URL('facts.jsonl.gz', import.meta.url)))
    .toString()
    .trim()
    .split('\n');

  it('are judged in every level and version as upstream judges them', () => {
    expect(lines.length).toBe(1867);
    for (const line of lines) {
      const { pod, verdicts } = decodeJson(line).value as unknown as Fact;
      expect({ pod, verdicts: verdictsOf(pod) }).toEqual({ pod, verdicts });
    }
  });
});
