/** How release 1.13 told what of a pod an update may not change: both specs as its encoder wrote the internal types, from where they differ. Mirrors pkg/util/diff (StringDiff). */
import { goEncoded } from '../../../apimachinery/go-syntax.ts';
import { withHostFields } from '../../../apimachinery/internal-value.ts';
import { goJson } from '../../../apimachinery/quote.ts';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import { internalTypes } from '../internal-types.gen.ts';

const start =
  'Forbidden: pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)';

/** `text` ends with the new spec and the old one, a line each. */
export function podChange(text: string): string {
  const [now = '{}', before = '{}'] = text.split('\n').slice(-2);
  return `${start}\n${textDiff(encoded(now), encoded(before))}`;
}

function encoded(spec: string): string {
  return goJson(goEncoded(internalTypes, 'core.PodSpec', withHostFields(JSON.parse(spec) as JsonObject)) as JsonValue);
}

function textDiff(a: string, b: string): string {
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  return `${a.slice(0, same)}\n\nA: ${a.slice(same)}\n\nB: ${b.slice(same)}\n\n`;
}
