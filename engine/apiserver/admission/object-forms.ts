/** The versions of a request's object that webhooks and policies may ask for. Mirrors apiserver pkg/admission/conversion.go. */
import { assert } from '../../base/assert.ts';
import type { JsonValue } from '../../base/json.ts';
import { type GroupVersion, type KubeObject, parseGroupVersion } from '../../apimachinery/object.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { DecodeError } from '../../apimachinery/serializer/scalars.ts';
import { isCustom } from '../../contracts/kind.ts';
import { type Core, storedUnder } from '../../registry/core.ts';
import type { Resource } from '../../registry/resource.ts';
import type { AdmittedResource, ObjectForms } from '../admission.ts';
import { schemaOf } from '../schema-names.ts';

export interface BodyKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** `body` is the kind of what is sent to a subresource, where that is not the resource's own. */
export function createObjectForms(core: Core, resource: Resource, body: BodyKind | undefined): ObjectForms {
  const asAdmitted = ({ kind }: Resource): AdmittedResource => {
    const { group, version, kind: name } = body ?? kind;
    return { group: kind.group, version: kind.version, resource: kind.plural, kind: name, kindGroup: group, kindVersion: version };
  };
  const find = ({ group, version, resource: plural }: AdmittedResource): Resource => {
    const found = core.table.find(group, version, plural);
    assert(found, `${plural}.${version}.${group} is served`);
    return found;
  };
  return {
    // Upstream's converter of custom objects knows no kind but theirs.
    ...(body !== undefined &&
      isCustom(resource.kind) && { stray: `request to convert CR to an invalid group/version: ${body.group}/${body.version}` }),
    requested: asAdmitted(resource),
    equivalents: () => {
      const { prefix } = core.table.storageOf(resource);
      return core.table
        .list()
        .filter((one) => one.kind.visibility !== 'internal' && core.table.storageOf(one).prefix === prefix)
        .map(asAdmitted);
    },
    convert: (object, from, to) => {
      if (body !== undefined || (from.group === to.group && from.version === to.version)) return object;
      const target = find(to);
      const stored = core.toStorage(object, find(from));
      return core.fromStorage(stored, target);
    },
    objectsOf: (apiVersion, kind) => {
      const gv = parseGroupVersion(apiVersion);
      const found = gv === undefined ? undefined : servedKind(core, gv, kind);
      if (found === undefined) return undefined;
      const prefix = core.table.storageOf(found).kind.storagePrefix;
      return {
        isNamespaced: found.kind.namespaced,
        list: (namespace) =>
          storedUnder(core.view, namespace === '' ? prefix : `${prefix}/${namespace}`).map((object) => core.fromStorage(object, found)),
      };
    },
    resourceOf: (apiVersion, kind) => {
      const gv = parseGroupVersion(apiVersion);
      const found = gv === undefined ? undefined : servedKind(core, gv, kind);
      return found === undefined ? undefined : { plural: found.kind.plural, isNamespaced: found.kind.namespaced };
    },
    typeOf: ({ kind, kindGroup, kindVersion, ...form }) => {
      if (kindGroup !== form.group || kindVersion !== form.version) return undefined;
      const apiVersion = kindGroup === '' ? kindVersion : `${kindGroup}/${kindVersion}`;
      const schema =
        body === undefined ? find({ ...form, kind, kindGroup, kindVersion }).schema : schemaOf({ kind, apiVersion }, core.table, core.schemas);
      return core.machinery.typeOf(schema);
    },
    read: (document, as, isStrict = false) => read(core, document, as, { resource: body === undefined ? find(as) : undefined, isStrict }),
  };
}

function servedKind(core: Core, { group, version }: GroupVersion, kind: string): Resource | undefined {
  const found = core.table.findKind(group, version, kind);
  return found?.kind.visibility === 'internal' ? undefined : found;
}

interface Reading {
  readonly resource: Resource | undefined;
  readonly isStrict: boolean;
}

function read(core: Core, document: JsonValue, as: AdmittedResource, { resource, isStrict }: Reading): KubeObject {
  const { kind, kindGroup, kindVersion } = as;
  checkKind(core, document, as);
  const apiVersion = kindGroup === '' ? kindVersion : `${kindGroup}/${kindVersion}`;
  const schema = resource?.schema ?? schemaOf({ kind, apiVersion }, core.table, core.schemas);
  const object = core.machinery.read(document, schema, isStrict);
  const typed = { ...object, kind, apiVersion, metadata: object.metadata ?? {} };
  return resource === undefined ? typed : core.defaulted(core.canonical(typed, resource), resource);
}

/** A document that names another kind is read as that, which then cannot be made this one. */
function checkKind(core: Core, document: JsonValue, { kind, kindGroup, kindVersion }: AdmittedResource): void {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return;
  const { kind: given, apiVersion: givenVersion } = document as { readonly [name: string]: JsonValue };
  if (typeof given !== 'string' || typeof givenVersion !== 'string') return;
  if (given === kind && givenVersion === (kindGroup === '' ? kindVersion : `${kindGroup}/${kindVersion}`)) return;
  const gv = parseGroupVersion(givenVersion);
  const found = gv === undefined ? undefined : core.table.findKind(gv.group, gv.version, given);
  if (given === kind && found !== undefined) return;
  if (gv === undefined || found === undefined)
    throw new DecodeError(
      `no kind ${goQuote(given)} is registered for version ${goQuote(givenVersion)} in scheme "pkg/api/legacyscheme/scheme.go:30"`,
    );
  core.machinery.read(document, found.schema);
  throw new DecodeError(`converting (${gv.version}.${given}) to (${kindVersion}.${kind}): unknown conversion`);
}
