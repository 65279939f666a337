/** What two answers to one request have that differs, once what no two servers agree on is out of the way. */
import { parse } from 'yaml';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { isList } from './mutate.ts';
import type { Asked } from './reads.ts';
import { type Answered, bodyOf } from './sides.ts';

/** An answer as it is compared, and kept. */
export interface Seen {
  readonly code: number;
  readonly type: string;
  readonly warnings: readonly string[];
  readonly retryAfter: string;
  readonly body: JsonValue;
}

export interface Difference {
  readonly path: string;
  readonly real?: JsonValue;
  readonly ours?: JsonValue;
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const stamp = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
/** Revisions in what a precondition, or a list from the future, is answered. */
const place = /(in the precondition \(|in record \(|Too large resource version: \d+, current: )\d+/g;
/** In the text of an object that a patch has made. */
const shownVersion = /(\\*"resourceVersion\\*":\\*"|\bresourceVersion:)\d+/g;
const shownPort = /(\\*"(?:nodePort|healthCheckNodePort)\\*":)(3[0-2]\d{3})(?!\d)/g;
const age = /^(\d+[smhdy])+$/;
const nodePort = /:(3[0-2]\d{3})\//g;
const apiAccess = /kube-api-access-[a-z0-9]{5}/g;

/** `version`: that of the fixture on the side that answered; each side has its own, and its messages name it. */
export function seen(answered: Answered, asked: Asked, version = ''): Seen {
  const type = first(answered.headers['content-type']);
  const warnings = [answered.headers['warning'] ?? []].flat();
  const said = `${asked.path} ${JSON.stringify(asked.body ?? '')}`;
  const raw = type === 'application/yaml' ? ((parse(answered.text) as JsonValue) ?? null) : type.includes('protobuf') ? '' : bodyOf(answered);
  return {
    code: answered.code,
    type,
    warnings: warnings.map((text) => plain(text, said)),
    retryAfter: first(answered.headers['retry-after']),
    body: withoutVersion(normalise(inNoOrder(withoutChance(raw, asked), asked), said), version),
  };
}

/**
 * A watch from a revision that asked for no initial events is told where it is when somebody writes to the kind meanwhile, as other stories do or not: asked
 * alone, a real server sends no bookmark in that second.
 */
function withoutChance(body: JsonValue, { query }: Asked): JsonValue {
  if (!isList(body) || !/\bwatch=true\b/.test(query) || !/\bresourceVersion=(?!0?(&|$))/.test(query) || query.includes('sendInitialEvents'))
    return body;
  const told = body.filter((event) => (event as JsonObject | null)?.['type'] !== 'BOOKMARK');
  return told.length === 0 ? '' : told;
}

/**
 * What comes out of the cache of a release whose lists carry their path lies in a Go map: a list at a revision, and the objects with which a watch begins.
 * Later releases keep them in the order of their names.
 */
function inNoOrder(body: JsonValue, { query }: Asked): JsonValue {
  const isWatch = /\bwatch=true\b/.test(query);
  const isAtRevision = /\bresourceVersion=./.test(query);
  if (isList(body)) {
    if (!isWatch || (isAtRevision && !/\bresourceVersion=0(?:&|$)/.test(query))) return body;
    const first = body.findIndex(
      (event) => (event as JsonObject | null)?.['type'] !== 'ADDED' || linkOf((event as JsonObject)['object']) === undefined,
    );
    const begun = first < 0 ? body.length : first;
    return [...byName(body.slice(0, begun)), ...body.slice(begun)];
  }
  if (!isAtRevision || isWatch || linkOf(body) === undefined) return body;
  const { items, rows } = body as { readonly items?: JsonValue; readonly rows?: JsonValue };
  return { ...(body as JsonObject), ...(isList(items) && { items: byName(items) }), ...(isList(rows) && { rows: byName(rows) }) };
}

function linkOf(object: JsonValue | undefined): JsonValue | undefined {
  return ((object as JsonObject | null | undefined)?.['metadata'] as JsonObject | null | undefined)?.['selfLink'];
}

function byName(list: readonly JsonValue[]): readonly JsonValue[] {
  const name = (value: JsonValue): string => {
    const { object, metadata } = (value ?? {}) as JsonObject;
    const { namespace, name: own } = ((object as JsonObject | undefined)?.['metadata'] ?? metadata ?? {}) as JsonObject;
    return `${String(namespace)}/${String(own)}`;
  };
  return list.toSorted((a, b) => (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : 0));
}

function withoutVersion(body: JsonValue, version: string): JsonValue {
  if (version.length < 3) return body;
  return JSON.parse(JSON.stringify(body).replaceAll(`\\"${version}\\"`, '\\"<rv>\\"').replaceAll(`"${version}"`, '"<rv>"')) as JsonValue;
}

function first(value: string | readonly string[] | undefined): string {
  return value === undefined ? '' : typeof value === 'string' ? value : (value[0] ?? '');
}

function plain(text: string, said: string): string {
  const unlike = text.replaceAll(uuid, (found) => (said.includes(found) ? found : '<uid>'));
  const times = withoutDrawn(unlike, said)
    .replaceAll(place, '$1<rv>')
    .replaceAll(shownVersion, '$1<rv>')
    .replaceAll(shownPort, (found, before: string, port: string) => (said.includes(port) ? found : `${before}<port>`))
    .replaceAll(stamp, (found) => (said.includes(found) ? found : '<time>'));
  return (
    withoutChanceOfTypes(inAnyOrderWithin(times))
      // Which of two names Go has for the scheme follows from how the server was built.
      .replaceAll('in scheme "pkg/api/legacyscheme/scheme.go:30"', 'in scheme "pkg/runtime/scheme.go:111"')
      .replaceAll(apiAccess, 'kube-api-access-<x>')
      .replaceAll(/\(0x[0-9a-f]{6,}\)/g, '(<address>)')
      .replaceAll(/\bmap\[string\]string\{([^{}]+)\}/g, (_, inner: string) => `map[string]string{${inner.split(', ').sort().join(', ')}}`)
      // Of the services' own range, and of one that an added ServiceCIDR stands for.
      .replaceAll(/\b10\.(1|9[6-9]|10\d|11[01])\.\d+\.\d+\b/g, (found) => (said.includes(found) ? found : '<ip>'))
  );
}

/** A generated name stands in an answer as it is, and in messages as Go quotes it. */
function withoutDrawn(text: string, said: string): string {
  const [, quoted] = /"generateName":("(?:[^"\\]|\\.)+")/.exec(said) ?? [];
  if (quoted === undefined) return text;
  const prefix = JSON.parse(quoted) as string;
  return [...new Set([prefix, quoted.slice(1, -1)])].reduce((each, part) => {
    const generated = new RegExp(`${part.slice(0, 58).replaceAll(/[^\w]/g, '\\$&')}[a-z0-9]{5}`, 'g');
    return each.replaceAll(generated, () => `${part}<x>`);
  }, text);
}

/**
 * What does not fit its type is found in the order of Go's maps, and a map is left at its first undeclared member: of what lies in that map only this is sure,
 * and of several undeclared ones any is named.
 */
function withoutChanceOfTypes(text: string): string {
  if (!text.startsWith('failed to create typed patch object (')) return text;
  const parts = /^(.*?\): )(?:errors:\n {2})?(\.[^]*)$/.exec(text);
  if (parts === null) return text;
  const [, start = '', rest = ''] = parts;
  const lines = rest.split(/\n {2}(?=\.)/);
  const left = lines.flatMap((line) => /^(\..*)\.[^.]+: field not declared in schema$/.exec(line)?.[1] ?? []);
  const kept = lines.filter((line) => !left.some((map) => line.startsWith(`${map}.`)));
  return start + [...kept, ...new Set(left.map((map) => `${map}.*: field not declared in schema`))].sort().join('\n  ');
}

const quotedObject = /"(?:\{\\"(?:\\.|[^"\\])*\})"/g;

/** The same within objects that a text shows whole. */
function inAnyOrderWithin(text: string): string {
  if (!text.includes('managedFields')) return text;
  return text.replaceAll(quotedObject, (found) => {
    try {
      return JSON.stringify(JSON.stringify(withSortedManagers(JSON.parse(JSON.parse(found) as string) as JsonObject)));
    } catch {
      return found;
    }
  });
}

function withSortedManagers(object: JsonObject): JsonObject {
  const metadata = object['metadata'] as JsonObject | undefined;
  const managers = metadata?.['managedFields'];
  return isList(managers) ? { ...object, metadata: { ...metadata, managedFields: inAnyOrder(managers, 'managedFields') } } : object;
}

function normalise(value: JsonValue, said: string, key = ''): JsonValue {
  if (typeof value === 'string') {
    if (key === 'continue') return '<continue>';
    if (key === 'resourceVersion') return value.startsWith('<rv') || said.includes(`"${value}"`) ? value : '<rv>';
    if (key === 'cells')
      return age.test(value) ? '<age>' : plain(value, said).replaceAll(nodePort, (found, port: string) => (said.includes(port) ? found : ':<port>/'));
    return plain(value, said);
  }
  if (key === 'nodePort' || key === 'healthCheckNodePort') return said.includes(String(value)) ? value : '<port>';
  if (isList(value))
    return inAnyOrder(
      value.map((inner) => normalise(inner, said, key)),
      key,
    );
  if (typeof value !== 'object' || value === null) return value;
  const object = withoutPlace(value as JsonObject);
  return Object.fromEntries(
    Object.entries(object).map(([name, inner]) => [
      name.startsWith('k:') ? name.replace(apiAccess, 'kube-api-access-<x>') : name,
      normalise(generated(name, inner, object), said, name),
    ]),
  );
}

/**
 * Who owns fields stands in the order of the seconds in which they wrote, of which a story takes some on one side and none on the other; what somebody may do
 * comes out of a Go map.
 */
const unordered: ReadonlySet<string> = new Set(['managedFields', 'resourceRules', 'nonResourceRules']);

function inAnyOrder(list: readonly JsonValue[], key: string): readonly JsonValue[] {
  // Managers whose fields an apply would take come out of a map, too.
  if (key === 'causes' && list.every((cause) => (cause as JsonObject | null)?.['reason'] === 'FieldManagerConflict'))
    return list.toSorted((a, b) => (messageOf(a) < messageOf(b) ? -1 : messageOf(a) > messageOf(b) ? 1 : 0));
  if (!unordered.has(key)) return list;
  const name = (value: JsonValue): string => {
    const { manager, operation, apiVersion, subresource, ...rest } = value as JsonObject;
    return JSON.stringify([operation ?? '', manager ?? '', apiVersion ?? '', subresource ?? '', key === 'managedFields' ? '' : rest]);
  };
  return list.toSorted((a, b) => (name(a) < name(b) ? -1 : 1));
}

function messageOf(cause: JsonValue): string {
  return String((cause as JsonObject)['message']);
}

/** The revision of a list, or of a bookmark, is that of the moment: others write too. */
function withoutPlace(object: JsonObject): JsonObject {
  const unplaced = (inner: JsonValue | undefined): JsonObject => {
    const { metadata, ...rest } = inner as JsonObject;
    return { ...rest, metadata: { ...(metadata as JsonObject), resourceVersion: '<rv>' } };
  };
  if (object['type'] === 'BOOKMARK') return { ...object, object: unplaced(withUnplacedRows(object['object'] as JsonObject, unplaced)) };
  if (object['kind'] === 'SelfSubjectRulesReview') return withoutOrder(object);
  const isMany = 'items' in object || 'rows' in object;
  const { resourceVersion } = (object['metadata'] ?? {}) as JsonObject;
  return isMany && resourceVersion !== undefined ? unplaced(object) : object;
}

/** A bookmark of a Table has its revision in its row too. */
function withUnplacedRows(object: JsonObject, unplaced: (inner: JsonValue | undefined) => JsonObject): JsonObject {
  const { rows } = object;
  if (!isList(rows)) return object;
  return { ...object, rows: rows.map((row) => ({ ...(row as JsonObject), object: unplaced((row as JsonObject)['object']) })) };
}

/** Upstream asks its sources of rules in no order. */
function withoutOrder(object: JsonObject): JsonObject {
  const { status } = object;
  if (typeof status !== 'object' || status === null || isList(status)) return object;
  const sorted = Object.entries(status).map(
    ([name, rules]) =>
      [
        name,
        isList(rules)
          ? rules
              .map((rule) => JSON.stringify(rule))
              .sort()
              .map((text) => JSON.parse(text) as JsonValue)
          : rules,
      ] as const,
  );
  return { ...object, status: Object.fromEntries(sorted) };
}

function generated(name: string, inner: JsonValue, object: JsonObject): JsonValue {
  const prefix = object['generateName'];
  return name === 'name' && typeof prefix === 'string' && typeof inner === 'string' && inner.startsWith(prefix) ? `${prefix}<x>` : inner;
}

/** The texts of a refusal without what follows from the moment, and with what Go printed in any order (its maps, until Go 1.12) in one. */
function ofChance(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(ofChance);
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, ofChance(inner)]));
  if (typeof value !== 'string') return value;
  return (
    value
      // As much of a time or of an identity as a reader shows of what lies before and behind a fault.
      .replaceAll(/(?<=bigger context \.\.\.\|)(?:[\dT:-]{2,19}Z|[\da-f-]{7,35})(?=")/g, '<cut>')
      .replaceAll(/(?<=bigger context .*"uid":")[\da-f-]{1,35}(?=\|\.\.\.)/gs, '<cut>')
      .replaceAll(/(?<=bigger context .*Timestamp":")[\dT:-]{1,19}(?=\|\.\.\.)/gs, '<cut>')
      .replaceAll(
        /core\.ResourceList\{(".*?\})\}(?=[:,}])/g,
        (_, inner: string) =>
          `core.ResourceList{${inner
            .split(/, (?=")/)
            .sort()
            .join(', ')}}`,
      )
      .replace(
        /^map: (map\[.*)(?= does not contain declared merge key: )/s,
        (_, item: string) =>
          `map: ${item
            .split(/(?<=[[\] ])|(?=[[\] ])/)
            .sort()
            .join('')}`,
      )
  );
}

/** Empty when they are equal. Of refusals the parts in which they differ. */
export function compare(real: Seen, ours: Seen): readonly Difference[] {
  const found: Difference[] = [];
  const both = (path: string, left: JsonValue, right: JsonValue): void => {
    if (JSON.stringify(left) !== JSON.stringify(right)) found.push({ path, real: left, ours: right });
  };
  both('code', real.code, ours.code);
  both('content-type', real.type, ours.type);
  both('warning', real.warnings, ours.warnings);
  both('retry-after', real.retryAfter, ours.retryAfter);
  if (isReordered(real, ours)) return found;
  const bothRefuse = real.code >= 400 && ours.code >= 400;
  return [...found, ...(bothRefuse ? treeDifferences('', ofChance(real.body), ofChance(ours.body)) : treeDifferences('', real.body, ours.body))];
}

/** Whether two refusals say the same of members of maps in another order: upstream goes through Go's maps, which have none. */
function isReordered(real: Seen, ours: Seen): boolean {
  const lines = (answer: Seen): string => JSON.stringify([...linesOf(answer)].sort());
  return real.code === 422 && ours.code === 422 && fieldsOf(real) === fieldsOf(ours) && lines(real) === lines(ours);
}

/** Of sources that stand beside the one that is meant upstream tells in any order. */
const inAnyPlace = / must populate the given metric source only$/;

/** The paths of the faults, in order. */
function fieldsOf({ body }: Seen): string {
  const withoutKeys = (field: string): string => field.replaceAll(/\[[^\]]*[^\]\d][^\]]*\]/g, '[]');
  const status = (body ?? {}) as { details?: { causes?: readonly { field?: string; message?: string }[] } };
  return (status.details?.causes ?? [])
    .map(({ field = '', message = '' }) => withoutKeys(inAnyPlace.test(message) ? field.replace(/\w+$/, '') : field))
    .join();
}

function treeDifferences(path: string, real: JsonValue | undefined, ours: JsonValue | undefined): readonly Difference[] {
  if (
    real === undefined ||
    ours === undefined ||
    typeof real !== 'object' ||
    typeof ours !== 'object' ||
    real === null ||
    ours === null ||
    isList(real) !== isList(ours)
  ) {
    if (real === ours) return [];
    return [{ path, ...(real === undefined ? {} : { real }), ...(ours === undefined ? {} : { ours }) }];
  }
  const keys = new Set([...Object.keys(real), ...Object.keys(ours)]);
  return [...keys].flatMap((key) => treeDifferences(path === '' ? key : `${path}.${key}`, (real as JsonObject)[key], (ours as JsonObject)[key]));
}

/** A name for what differs, the same for differences of one cause: no numbers, quoted values or indices. */
export function signature(real: Seen, ours: Seen, differences: readonly Difference[]): string {
  if (real.code !== ours.code) return `${real.code}→${ours.code} ${shape(causesOf(real.code >= 400 ? real : ours))}`;
  const [one] = differences;
  if (real.code >= 400) {
    const [left, right] = [linesOf(real), linesOf(ours)];
    const missing = left.filter((line) => !right.includes(line));
    const extra = right.filter((line) => !left.includes(line));
    if (missing.length + extra.length > 0)
      return `${real.code} ${missing.length > 0 ? `missing ${shape(missing.slice(0, 1))}` : ''}${extra.length > 0 ? ` extra ${shape(extra.slice(0, 1))}` : ''}`;
    return `${real.code} ${left.join() === right.join() ? (one?.path ?? '') : 'order'} ${shape(left.slice(0, 1))}`;
  }
  return `${real.code} ${shape([one?.path ?? ''])} ${one?.path === 'warning' ? shape([JSON.stringify(one.real), JSON.stringify(one.ours)]) : ''}`;
}

function shape(lines: readonly string[]): string {
  return lines
    .map((line) =>
      line
        .replaceAll(/"(\\.|[^"\\])*"/g, '""')
        .replaceAll(/[-+]?\d[\d.]*\w*/g, '0')
        .replaceAll(/\[[^\]]*\]/g, '[]')
        .replaceAll(/\.\d+/g, '.0')
        .replaceAll(/\{.*\}/g, '{}')
        .slice(0, 170),
    )
    .join(' ; ');
}

/** What differs, in a few lines for a reader. */
export function wording({ real, ours, differences }: { real: Seen; ours: Seen; differences: readonly Difference[] }): readonly string[] {
  const short = (value: JsonValue | undefined): string => (JSON.stringify(value) ?? 'nothing').slice(0, 420);
  if (real.code < 400 && ours.code < 400)
    return differences.slice(0, 4).map(({ path, real: left, ours: right }) => `${path}: real ${short(left)} ours ${short(right)}`);
  const [left, right] = [linesOf(real), linesOf(ours)];
  const lists = [
    ...left.filter((line) => !right.includes(line)).map((line) => `real ${line}`),
    ...right.filter((line) => !left.includes(line)).map((line) => `ours ${line}`),
  ];
  const shown =
    lists.length > 0 ? lists : [`real ${left.join(' | ')}`, `ours ${right.join(' | ')}`, ...differences.slice(0, 3).map(({ path }) => path)];
  const codes = real.code === ours.code ? [] : [`code real ${real.code} ours ${ours.code}`];
  return [...codes, ...shown.map((line) => line.slice(0, 500))].slice(0, 8);
}

/** Each fault with its path, or the message where there are none. */
function linesOf({ body }: Seen): readonly string[] {
  const status = (body ?? {}) as { message?: string; details?: { causes?: readonly { field?: string; message: string }[] } };
  const causes = status.details?.causes ?? [];
  return causes.length === 0
    ? [status.message ?? JSON.stringify(body).slice(0, 200)]
    : causes.map(({ field = '', message }) => `${field}: ${message}`);
}

function causesOf(answer: Seen): readonly string[] {
  return linesOf(answer).slice(0, 2);
}
