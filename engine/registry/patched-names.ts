/**
 * What an object calls itself once a JSON or a merge patch has made it. Upstream reads it as any document, by the version and kind that it names, and
 * refuses what is none of the resource; a strategic merge converts values instead, and looks at neither. Mirrors apiserver
 * pkg/endpoints/handlers/patch.go (applyPatchToCurrentObject) and, for users' own kinds, apiextensions-apiserver pkg/apiserver.
 */
import { newInternalError, newInvalid } from '../apimachinery/errors.ts';
import { invalid, root } from '../apimachinery/field-errors.ts';
import { type KubeObject, type ObjectMeta, parseGroupVersion, withoutEmptyGroup } from '../apimachinery/object.ts';
import { goJson, goQuote } from '../apimachinery/quote.ts';
import type { MessageSchema, SchemaRegistry } from '../apimachinery/schema.ts';
import { unreadableNames } from '../apimachinery/serializer/go-names.ts';
import { withSortedKeys } from '../apimachinery/serializer/key-order.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { orderedMeta, withMeta } from './meta.ts';
import { type KnownKinds, misnamed, type Named, scaleVersions } from './body-kinds.ts';
import { schemaNamed } from './named-shapes.ts';
import type { Resource, ResourceTable } from './resource.ts';

/** As what it is to be read. */
export interface ExpectedNames {
  readonly apiVersion: string;
  readonly group: string;
  readonly kind: string;
}

/** Why it cannot be read as what it calls itself; `internal` where it names no version, and is read as a type that knows none of its fields. */
export type NameFault = { readonly why: string } | 'internal' | undefined;

/** Tells why a document does not fit a type, if so. */
export type FieldsJudge = (schema: MessageSchema) => string | undefined;

const scaleName = 'io.k8s.api.autoscaling.v1.Scale';
const statusName = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status';

/** Of a kind that the server has by itself. */
export function nameFault(
  patched: JsonObject,
  expected: ExpectedNames,
  { kinds, schemas, judge }: { readonly kinds: KnownKinds; readonly schemas: SchemaRegistry; readonly judge: FieldsJudge },
): NameFault {
  const named = namesOf(patched);
  if ('why' in named) return named;
  if (named.apiVersion === '') {
    if (named.kind === '' || named.kind === expected.kind) return 'internal';
    const why = `no kind ${goQuote(named.kind)} is registered for the internal version of group ${goQuote(expected.group)} in scheme "pkg/api/legacyscheme/scheme.go:30"`;
    return { why };
  }
  if (named.kind === 'Scale' && scaleVersions.has(named.apiVersion) && hasSelectorText(patched))
    return { why: 'json: cannot unmarshal string into Go struct field ScaleStatus.status.selector of type map[string]string' };
  const fault = misnamed(named, expected, kinds);
  // It is read as what it was in that version.
  if (fault === undefined || fault.isWhole === true) return undefined;
  const schema = isStatus(named) ? schemas.mustGet(statusName) : fault.schema;
  return { why: (schema === undefined ? undefined : judge(schema)) ?? fault.why };
}

/** Of the Scale of users' own kinds, which has a scheme to itself. */
export function customScaleFault(patched: JsonObject, expected: ExpectedNames, schemas: SchemaRegistry, judge: FieldsJudge): NameFault {
  const named = namesOf(patched);
  if ('why' in named) return named;
  const { apiVersion = expected.apiVersion, kind = expected.kind } = { apiVersion: named.apiVersion || undefined, kind: named.kind || undefined };
  if (kind === expected.kind && apiVersion === expected.apiVersion) return undefined;
  if (kind === expected.kind && scaleVersions.has(apiVersion))
    return {
      why:
        judge(schemas.mustGet(scaleName)) ?? `converting (${apiVersion.slice(apiVersion.indexOf('/') + 1)}.Scale) to (v1.Scale): unknown conversion`,
    };
  if (isStatus({ apiVersion, kind }))
    return { why: judge(schemas.mustGet(statusName)) ?? 'converting (v1.Status) to (v1.Scale): unknown conversion' };
  return { why: `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"` };
}

/** Of users' own kinds, which are read by the version that they name. */
export function customNameFault(patched: JsonObject, resource: Resource, table: ResourceTable): NameFault | { readonly schema: MessageSchema } {
  const named = namesOf(patched);
  if ('why' in named) return named;
  if (named.kind === '') return { why: `Object 'Kind' is missing in '${goJson(withSortedKeys(patched))}'` };
  if (named.apiVersion === '') throw newInternalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
  const { schema, apiVersion, kind } = resource;
  return { schema: schemaNamed(named, { schema, apiVersion, group: kind.group, kind: kind.kind }, table) };
}

/** Why an object of a user's own kind that was read cannot be written here: it calls itself something else. Throws Invalid. */
export function mustBeNamed(object: KubeObject, { apiVersion: version, kind: { kind: name }, schema }: Resource, live: KubeObject): void {
  const { apiVersion, kind } = object;
  const faults = [
    ...(kind === name ? [] : [invalid(root('kind'), kind ?? '', `must be ${name}`)]),
    ...(apiVersion === version ? [] : [invalid(root('apiVersion'), apiVersion ?? '', `must be ${version}`)]),
  ];
  if (faults.length === 0) return;
  const others = schema.custom?.faultsBesideKind?.(object, live) ?? [];
  const named = { group: parseGroupVersion(apiVersion ?? '')?.group ?? '', kind: kind ?? '' };
  throw newInvalid(named, live.metadata.name ?? '', [...faults, ...others]);
}

const withLabelsOfTemplates: ReadonlySet<string> = new Set(['apps/v1beta1', 'extensions/v1beta1']);

/** Read in their first versions, workloads without labels have those of their pods. Mirrors SetDefaults_Deployment and its like of pkg/apis/apps/v1beta1. */
export function withOlderDefaults(object: KubeObject): KubeObject {
  if (!withLabelsOfTemplates.has(object.apiVersion ?? '') || Object.keys(object.metadata.labels ?? {}).length > 0) return object;
  const { template } = (object as { readonly spec?: { readonly template?: { readonly metadata?: ObjectMeta } } }).spec ?? {};
  const labels = template?.metadata?.labels;
  return labels === undefined ? object : withMeta(object, orderedMeta({ ...object.metadata, labels }));
}

/** It was a map in the versions before. */
function hasSelectorText({ status }: JsonObject): boolean {
  return isObject(status) && typeof status['selector'] === 'string';
}

function isStatus({ apiVersion, kind }: Named): boolean {
  return apiVersion === 'v1' && kind === 'Status';
}

function namesOf(patched: JsonObject): Named | { readonly why: string } {
  const why = unreadableNames(patched);
  const { apiVersion, kind } = patched;
  return why === undefined ? { apiVersion: withoutEmptyGroup(textOf(apiVersion)), kind: textOf(kind) } : { why };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
