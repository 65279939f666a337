/** Annotations of nodes. Mirrors ValidateNodeSpecificAnnotations of pkg/apis/core/validation. */
import type { Node } from '../../../api/core/v1/types.gen.ts';
import { invalid, root } from '../../../apimachinery/field-errors.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { Faults } from './resource-validation.ts';

const taintsKey = 'scheduler.alpha.kubernetes.io/taints';
const avoidKey = 'scheduler.alpha.kubernetes.io/preferAvoidPods';

/** They hold JSON; what it says beyond that is not looked at. */
export function validateNodeAnnotations(annotations: Node['metadata']['annotations'], out: Faults): void {
  const path = root('metadata', 'annotations');
  for (const [key, at] of [
    [taintsKey, path],
    [avoidKey, path.child('AvoidPods')],
  ] as const) {
    const text = getOwn(annotations, key);
    const fault = text ? jsonFault(text) : undefined;
    if (fault !== undefined) out.push(invalid(at, key, fault));
  }
}

/** As Go says it of text that begins with something else than JSON. */
export function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const first = text.trimStart().charAt(0);
    return first === '' ? 'unexpected end of JSON input' : `invalid character '${goQuote(first).slice(1, -1)}' looking for beginning of value`;
  }
}
