/** Bodies, and objects that a patch has made, which do not fit their type: told as the decoder of release 1.13 did. */
import { encodeJson } from '../../../apimachinery/serializer/json.ts';
import { numbersAsWritten, withWrittenNumbers } from '../../../apimachinery/serializer/written-numbers.ts';
import type { Status } from '../../../apimachinery/status.ts';
import { pointerKeys } from '../../../apimachinery/patch/json-patch.ts';
import { shownPatched } from '../../../apimachinery/patch/shown.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { RefusedRequest } from '../../../contracts/release.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { bodyForms } from '../body-forms.gen.ts';
import { bodyFault } from './body-values.ts';
import { asJson, parsedValue } from './sent-body.ts';

const cannotHandle = /^((\w+) in version "([^"]*)" cannot be handled as a \w+: )(?!no kind )/;
/** What a patch has made is shown whole. */
const patched = /^ "" is invalid: patch: Invalid value: ("(?:[^"\\]|\\.)*"): /s;

export function retoldDecoding(status: Status, request: RefusedRequest): Status | undefined {
  const { message = '', code } = status;
  if (code === 400) {
    if (request.method === 'DELETE' && message.startsWith('json: cannot unmarshal')) {
      const fault = bodyFault(bodyForms, 'meta/v1.DeleteOptions', new TextEncoder().encode(request.body()));
      return fault === undefined ? undefined : defect(status, fault);
    }
    const [, start = '', kind = '', version = ''] = cannotHandle.exec(message) ?? [];
    if (start === '' || !/json|yaml|^$/.test(request.header('content-type'))) return undefined;
    const body = asJson(request.body(), request.header('content-type'));
    const fault = bodyFault(bodyForms, goType(groupOf(body, request.path), version, kind), new TextEncoder().encode(body));
    return fault === undefined ? undefined : { ...status, message: start + fault };
  }
  const [start = '', shown] = request.method === 'PATCH' && code === 422 ? (patched.exec(message) ?? []) : [];
  if (shown === undefined) return undefined;
  const why = message.slice(start.length);
  if (request.header('content-type').includes('strategic')) return defect(status, why);
  // What it calls itself was looked at first.
  if (ofNames.test(why))
    return defect(status, why.replace('"pkg/api/legacyscheme/scheme.go:30"', '"k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:29"'));
  return misfit(status, shown, request);
}

const ofNames = /^(?:no kind |converting \(|unexpected GroupVersion string: |couldn't get version\/kind; )/;

/** What its server took for a defect of its own. */
function defect({ reason: _, details: _details, ...status }: Status, message: string): Status {
  return { ...status, code: 500, message };
}

function misfit(status: Status, shown: string, { path, body }: RefusedRequest): Status | undefined {
  const json = String(parsedValue(shown));
  const parsed = parsedValue(json);
  // Its decoder met numbers as the patch wrote them.
  const seen = parsed === undefined ? undefined : (numbersAsWritten(json) ?? parsed);
  const patch = parsedValue(body());
  if (!isObject(seen)) return undefined;
  // And fields that it did not know.
  const object = completed(seen, patch) as JsonObject;
  const { apiVersion, kind } = object as { readonly apiVersion?: string; readonly kind?: string };
  const text = withWrittenNumbers(encodeJson(shownPatched(uncounted.has(String(kind)) ? withoutGeneration(object) : object, patch)));
  const type = goType(groupOf(text, path), String(apiVersion).replace(/.*\//, ''), String(kind));
  const fault = bodyFault(bodyForms, type, new TextEncoder().encode(text));
  return fault === undefined ? undefined : defect(status, fault);
}

/** What a patch has made, with all that it said: fields that came later were left out of it before. */
function completed(made: JsonValue, patch: JsonValue | undefined): JsonValue {
  if (!isList(patch)) return withAll(made, patch);
  return patch.reduce((whole, operation) => {
    const { op, path, value } = isObject(operation) ? operation : {};
    return (op === 'add' || op === 'replace') && typeof path === 'string' ? within(whole, pointerKeys(path), (at) => withAll(at, value)) : whole;
  }, made);
}

function within(value: JsonValue, [key, ...rest]: readonly string[], change: (at: JsonValue) => JsonValue): JsonValue {
  if (key === undefined) return change(value);
  const name = isList(value) && key === '-' ? String(value.length - 1) : key;
  if (isList(value)) return value.map((item, index) => (String(index) === name ? within(item, rest, change) : item));
  if (!isObject(value) || !Object.hasOwn(value, name)) return value;
  return Object.fromEntries(Object.entries(value).map(([each, inner]) => [each, each === name ? within(inner, rest, change) : inner]));
}

/** In the order of what was said where something is added. */
function withAll(made: JsonValue, said: JsonValue | undefined): JsonValue {
  if (made === null) return said ?? null;
  if (isList(made)) return isList(said) && said.length === made.length ? made.map((item, index) => withAll(item, said[index])) : made;
  if (!isObject(made) || !isObject(said)) return made;
  const added = Object.keys(said).filter((name) => said[name] !== null && !Object.hasOwn(made, name));
  const order = added.length === 0 ? Object.keys(made) : [...Object.keys(said), ...Object.keys(made)];
  const names = [...new Set(order)].filter((name) => Object.hasOwn(made, name) || added.includes(name));
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(made, name) ? withAll(made[name] ?? null, getOwn(said, name)) : (said[name] ?? null)]),
  );
}

/** Kinds whose generation nobody counted. */
const uncounted: ReadonlySet<string> = new Set(['CronJob', 'Job', 'Pod', 'PodTemplate']);

function withoutGeneration(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata)) return object;
  const { generation: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** `core/v1.Pod`. */
function goType(group: string, version: string, kind: string): string {
  return `${group === '' ? 'core' : group.replace(/\..*/, '')}/${version}.${kind}`;
}

/** What the body says, or else the path. */
function groupOf(body: string, path: string): string {
  const object = parsedValue(body);
  const said = isObject(object) ? object['apiVersion'] : undefined;
  if (typeof said === 'string' && said !== '') return said.includes('/') ? said.slice(0, said.indexOf('/')) : '';
  return /^\/apis\/([^/]+)\//.exec(path)?.[1] ?? '';
}
