/**
 * Reads a policy file: its form first, unknown and duplicate fields as warnings, then its rules. Mirrors apiserver
 * pkg/audit/policy/reader.go, whose words these are.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { aggregateText } from '../../apimachinery/field-errors.ts';
import { setOwn } from '../../base/dictionary.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { DecodeError } from '../../apimachinery/serializer/scalars.ts';
import { decodeYaml } from '../../apimachinery/serializer/yaml.ts';
import { type AuditPolicy, validatePolicy } from './policy.ts';

/** The file cannot be used; in upstream's words. */
export class AuditPolicyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AuditPolicyError';
  }
}

export interface ReadPolicy {
  readonly policy: AuditPolicy;
  /** What was passed over. */
  readonly warning: string | undefined;
}

const version = 'audit.k8s.io/v1';

/** `path` only for the messages. */
export function readPolicy(text: string, path: string): ReadPolicy {
  const fail = (message: string): never => {
    throw new AuditPolicyError(`loading audit policy file: ${message}: from file ${path}`);
  };
  const { value, duplicates } = parse(text, fail);
  const document = asObject(value);
  checkKind(document, fail);
  const unknown: string[] = [];
  const policy = readFields(document, policyFields, { struct: 'Policy', path: '', unknown, fail }) as unknown as Partial<AuditPolicy>;
  const whole: AuditPolicy = { ...policy, rules: (policy.rules ?? []).map((rule) => ({ ...rule, level: rule.level ?? ('' as never) })) };
  const faults = validatePolicy(whole);
  if (faults.length > 0) fail(aggregateText(faults));
  if (whole.rules.length === 0) fail('loaded illegal policy with 0 rules');
  const strict = [...duplicates, ...unknown];
  if (strict.length === 0) return { policy: whole, warning: undefined };
  return { policy: whole, warning: `Audit policy contains errors, falling back to lenient decoding: strict decoding error: ${strict.join(', ')}` };
}

type Fail = (message: string) => never;

function parse(text: string, fail: Fail): { readonly value: JsonValue; readonly duplicates: readonly string[] } {
  if (text.trim() === '') return { value: null, duplicates: [] };
  try {
    return decodeYaml(text);
  } catch (error) {
    if (error instanceof DecodeError) return fail(`failed decoding: ${error.message}`);
    throw error;
  }
}

function asObject(value: JsonValue): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function checkKind({ apiVersion = '', kind = '' }: JsonObject, fail: Fail): void {
  if (apiVersion === '') fail('unknown group version field audit.k8s.io/__internal, Kind=Policy in policy');
  if (apiVersion === version && (kind === 'Event' || kind === 'EventList'))
    fail(`failed decoding: converting (v1.${kind}) to (audit.Policy): unknown conversion`);
  if (apiVersion === version && (kind === 'Policy' || kind === '')) return;
  fail(
    `failed decoding: no kind ${goQuote(String(kind))} is registered for version ${goQuote(String(apiVersion))} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

/** A field's Go type, and of what its items are. */
type Field = { readonly type: string; readonly items?: Fields | 'string'; readonly struct?: string };
type Fields = { readonly [name: string]: Field };

const strings: Field = { type: '[]string', items: 'string' };
const stages: Field = { type: '[]v1.Stage', items: 'string' };
const anything: Field = { type: '' };

const policyFields: Fields = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: anything,
  omitStages: stages,
  omitManagedFields: { type: 'bool' },
  rules: {
    type: '[]v1.PolicyRule',
    struct: 'PolicyRule',
    items: {
      level: { type: 'v1.Level' },
      users: strings,
      userGroups: strings,
      verbs: strings,
      namespaces: strings,
      nonResourceURLs: strings,
      omitStages: stages,
      omitManagedFields: { type: 'bool' },
      resources: {
        type: '[]v1.GroupResources',
        struct: 'GroupResources',
        items: { group: { type: 'string' }, resources: strings, resourceNames: strings },
      },
    },
  },
};

interface Place {
  /** As Go names the struct that a field stands in. */
  readonly struct: string;
  readonly path: string;
  readonly unknown: string[];
  readonly fail: Fail;
}

/** The known fields; null is as if it were not there. */
function readFields(object: JsonObject, fields: Fields, place: Place): JsonObject {
  const read: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(object)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) place.unknown.push(`unknown field "${place.path}${name}"`);
    else if (value !== null && value !== undefined) setOwn(read, name, readField(value, field, name, place));
  }
  return read;
}

function readField(value: JsonValue, field: Field, name: string, place: Place): JsonValue {
  const { items, type } = field;
  if (type === '') return value;
  if (items === undefined) {
    const wanted = type === 'bool' ? 'boolean' : 'string';
    return typeof value === wanted ? value : wrong(value, type, name, place);
  }
  if (!Array.isArray(value)) return wrong(value, type, name, place);
  return value.map((item: JsonValue, index) => {
    if (items === 'string') return typeof item === 'string' ? item : wrong(item, type.slice(2), name, place);
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return wrong(item, type.slice(2), name, place);
    return readFields(item as JsonObject, items, { ...place, struct: field.struct ?? place.struct, path: `${place.path}${name}[${index}].` });
  });
}

function wrong(value: JsonValue, type: string, name: string, { struct, path, fail }: Place): never {
  const found = Array.isArray(value)
    ? 'array'
    : value !== null && typeof value === 'object'
      ? 'object'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value;
  return fail(
    `failed decoding: json: cannot unmarshal ${found} into Go struct field ${struct}.${path.replace(/\[\d+\]/g, '')}${name} of type ${type}`,
  );
}
