/** Selectors that release 1.13 took for others than those that were sent. Mirrors its defaults of workloads and labels.Set.AsSelector of its apimachinery. */
import { isQualifiedName, isValidLabelValue } from '../../../apimachinery/formats.ts';
import { goSyntaxOf } from '../../../apimachinery/go-syntax.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import type { RefusedRequest } from '../../../contracts/release.ts';
import { type Fault, isSame } from './faults.ts';
import { internalTypes } from '../internal-types.gen.ts';

export const mismatch = '`selector` does not match template `labels`';

/** What the refusal of an empty selector names, by kind. */
const emptyIsInvalidFor: { readonly [kind: string]: string } = {
  DaemonSet: 'daemonset',
  Deployment: 'deployment',
  ReplicaSet: 'deployment',
  StatefulSet: 'statefulset',
};
/** Versions that take the template's labels for a selector that is not there: no labels at all, too, if somebody says so. */
const selectsLabels: ReadonlySet<string> = new Set(['extensions/v1beta1', 'apps/v1beta1']);
const selectorOfNothing = goSyntaxOf(internalTypes, 'v1.LabelSelector', { matchLabels: {} });

/** `object`: what was sent, the whole of an object or a patch. */
export function withSentSelector(
  kind: string,
  faults: readonly Fault[],
  { method, path }: Pick<RefusedRequest, 'method' | 'path'>,
  object: JsonObject | undefined,
): readonly Fault[] {
  const spec = object?.['spec'];
  if (kind === 'ReplicationController') {
    // Who names none selects what the template makes.
    const isFilled = method !== 'PATCH' && isObject(spec) && (spec['selector'] ?? null) === null;
    const selectors = isFilled ? [at(spec, ['template', 'metadata', 'labels'])] : selectorsIn(object);
    return selectors.some(isUnsound) ? withoutSelector(faults) : faults;
  }
  if (!isObject(spec) || method === 'PATCH') return faults;
  const owner = getOwn(emptyIsInvalidFor, kind);
  const labels = at(spec, ['template', 'metadata', 'labels']);
  const takesNothing =
    selectsLabels.has(String(object?.['apiVersion'] ?? /^\/apis\/([^/]+\/[^/]+)\//.exec(path)?.[1])) &&
    (spec['selector'] ?? null) === null &&
    isObject(labels);
  return owner !== undefined && takesNothing && Object.keys(labels).length === 0 ? selectingNothing(owner, faults) : faults;
}

function selectingNothing(owner: string, faults: readonly Fault[]): readonly Fault[] {
  const refused = {
    field: 'spec.selector',
    text: `Invalid value: ${selectorOfNothing}: empty selector is invalid for ${owner}`,
    reason: 'FieldValueInvalid',
  };
  return faults.flatMap((fault) => {
    if (fault.text.endsWith(mismatch)) return owner === 'daemonset' ? [refused] : [];
    return fault.field === 'spec.selector' && fault.text === 'Required value' ? [refused] : [fault];
  });
}

/** Of operations, all that set one or a part of it. */
function selectorsIn(sent: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  if (!isList(sent)) return [at(sent, ['spec', 'selector'])];
  return sent.flatMap((operation) => {
    const { path, value } = isObject(operation) ? operation : {};
    const [, key] = typeof path === 'string' ? (/^\/spec\/selector(?:\/(.*))?$/s.exec(path) ?? []) : [];
    if (key === undefined) return path === '/spec/selector' ? [value] : [];
    return [{ [key.replaceAll('~1', '/').replaceAll('~0', '~')]: value ?? '' }];
  });
}

/** One name or value that can be none of a label, and nothing is selected. */
function isUnsound(selector: JsonValue | undefined): boolean {
  if (!isObject(selector)) return false;
  return Object.entries(selector).some(
    ([key, value]) => value !== null && (isQualifiedName(key).length > 0 || isValidLabelValue(String(value)).length > 0),
  );
}

/** A controller without a selector is told so each time that it is judged, before its template. */
function withoutSelector(faults: readonly Fault[]): readonly Fault[] {
  const missing = { field: 'spec.selector', text: 'Required value', reason: 'FieldValueRequired' };
  const isBehind = ({ field }: Fault): boolean => /^spec\.(?:replicas|template)\b|^status\b/.test(field);
  const first = faults.findIndex(isBehind);
  const out: Fault[] = [];
  for (const [index, fault] of faults.entries()) {
    const before = faults[index - 1];
    const begins = index === first || (isBehind(fault) && (isSame(fault, faults[first]) || (before !== undefined && !isBehind(before))));
    if (begins) out.push(missing);
    if (!fault.text.endsWith(mismatch)) out.push(fault);
  }
  return first < 0 ? [...out, missing] : out;
}

function at(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((inner, key) => (isObject(inner) ? getOwn(inner, key) : undefined), value);
}
