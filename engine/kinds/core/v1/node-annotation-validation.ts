/** Annotations of nodes. Mirrors ValidateNodeSpecificAnnotations of pkg/apis/core/validation. */
import type { Node } from '../../../api/core/v1/types.gen.ts';
import { type FieldPath, invalid, required, root } from '../../../apimachinery/field-errors.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { isList, isObject, type JsonValue } from '../../../base/json.ts';
import type { Faults } from './resource-validation.ts';

const taintsKey = 'scheduler.alpha.kubernetes.io/taints';
const avoidKey = 'scheduler.alpha.kubernetes.io/preferAvoidPods';

/** They hold JSON; taints are not looked at beyond that. */
export function validateNodeAnnotations(annotations: Node['metadata']['annotations'], out: Faults): void {
  const path = root('metadata', 'annotations');
  for (const [key, at] of [
    [taintsKey, path],
    [avoidKey, path.child('AvoidPods')],
  ] as const) {
    const text = getOwn(annotations, key);
    const fault = text ? jsonFault(text) : undefined;
    if (fault !== undefined) out.push(invalid(at, key, fault));
    else if (text && key === avoidKey) validateAvoided(JSON.parse(text) as JsonValue, path.child(avoidKey), out);
  }
}

/** Each names a controller. */
function validateAvoided(value: JsonValue, path: FieldPath, out: Faults): void {
  const list = isObject(value) ? value['preferAvoidPods'] : undefined;
  for (const [index, entry] of (isList(list) ? list : []).entries()) {
    const signature = isObject(entry) ? entry['podSignature'] : undefined;
    const controller = isObject(signature) ? signature['podController'] : undefined;
    const at = path.index(index).child('PodSignature');
    if (!isObject(controller)) out.push(required(at));
    // Where nothing is said of it a real server breaks down.
    else if (controller['controller'] !== true) out.push(invalid(at.child('PodController', 'Controller'), false, 'must point to a controller'));
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
