/**
 * A version of a CustomResourceDefinition as a kind: what the registry asks of built-in ones, asked of the schema. Mirrors
 * apiextensions-apiserver pkg/registry/customresource.
 */
import { wholeFault } from './schema/whole-fault.ts';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion, CustomResourceSubresourceScale } from '../api/apiextensions/v1/types.gen.ts';
import { newForbidden } from '../apimachinery/errors.ts';
import { errorText, type FieldErrorList, root } from '../apimachinery/field-errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { MessageSchema } from '../apimachinery/schema.ts';
import { isQualifiedName, validateObjectMeta } from '../apimachinery/validation.ts';
import { deepEqual } from '../base/equal.ts';
import type { JsonObject } from '../base/json.ts';
import { withField } from '../base/plain.ts';
import type { KindDefinition, ObjectConversion, StrategyContext, SubresourceDefinition } from '../contracts/kind.ts';
import { printedBy } from './columns.ts';
import { isTrue } from '../component-helpers/definition-conditions.ts';
import { deprecationOf } from './deprecation.ts';
import { definitionName } from './names.ts';
import { scaleBy, validateScale } from './scale.ts';
import { selectableBy } from './selectable-fields.ts';
import type { Part, Shape } from './shape.ts';

type Sections = KubeObject & { readonly status?: unknown };

const metaField = {
  name: 'metadata',
  number: 0,
  type: { message: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
  card: 'one',
  omitEmpty: false,
  pointer: false,
} as const;
const standardFinalizers: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

export interface CustomKindOptions {
  readonly definition: CustomResourceDefinition;
  readonly version: CustomResourceDefinitionVersion;
  /** Of all versions, by name: what is stored may have been written in any. */
  readonly shapes: ReadonlyMap<string, Shape>;
  /** Absent where versions follow from each other. */
  readonly conversion?: ObjectConversion | undefined;
  readonly tellsAgesInOneUnit: boolean;
}

export function customKind({ definition, version, shapes, conversion, tellsAgesInOneUnit }: CustomKindOptions): KindDefinition {
  const { spec, metadata, status } = definition;
  const { group, scope } = spec;
  const names = { ...spec.names, ...status?.acceptedNames };
  const shape = shapes.get(version.name) as Shape;
  const stored = (spec.versions ?? []).find(({ storage }) => storage)?.name ?? version.name;
  const { status: hasStatus, scale } = version.subresources ?? {};
  const apiVersion = `${group}/${version.name}`;
  // Filled in as of the version that it was stored in, and not as of the one that is asked for.
  const toVersion = (object: KubeObject): KubeObject => {
    const own = shapes.get(object.apiVersion.slice(group.length + 1)) ?? shape;
    return own === shape ? shape.settled(object, apiVersion) : shape.converted(own.settled(object, object.apiVersion), apiVersion);
  };
  const name = definitionName(group, version.name, names.kind);
  const schema: MessageSchema = { name, fields: [metaField], custom: shape };
  const deprecation = deprecationOf(spec, version);
  const kind: KindDefinition = {
    group,
    version: version.name,
    kind: names.kind,
    listKind: names.listKind || `${names.kind}List`,
    plural: names.plural,
    singular: names.singular ?? '',
    ...(names.shortNames?.length ? { shortNames: names.shortNames } : {}),
    ...(names.categories?.length ? { categories: names.categories } : {}),
    namespaced: scope === 'Namespaced',
    schema,
    storagePrefix: `${group}/${spec.names.plural}`,
    // Of the definition's own revisions: its status says who may write, and under which names.
    edition: `${metadata.uid}/${metadata.resourceVersion}`,
    hasGeneration: true,
    allowUnconditionalUpdate: false,
    ...(version.served ? {} : { visibility: 'internal' as const }),
    ...(deprecation === undefined ? {} : { deprecation }),
    ...(stored === version.name
      ? { readStored: toVersion }
      : {
          storage: {
            version: stored,
            toStorage: (object) => (shapes.get(stored) as Shape).converted(object, `${group}/${stored}`),
            fromStorage: toVersion,
          },
        }),
    unreadable: (stored) => lostVersion(spec, stored),
    ...(conversion === undefined ? {} : { conversion: inShape(conversion, group, shapes) }),
    isJudgedAsSent: true,
    ...(isTrue(definition, 'Terminating') ? { isGoing: true } : {}),
    defaults: (object) => shape.defaulted(object),
    guard: (next, old) => {
      if (old === undefined && isTrue(definition, 'Terminating'))
        throw newForbidden(
          { group, resource: names.plural },
          next.metadata.name ?? '',
          'create not allowed while custom resource definition is terminating',
        );
    },
    prepareForCreate: (object) => (hasStatus === undefined ? object : withField(object, 'status', undefined)),
    prepareForUpdate: (next, old) => (hasStatus === undefined ? next : withField(next, 'status', (old as Sections).status)),
    desiredChanged: (next, old) => !deepEqual(withoutMeta(next), withoutMeta(old)),
    validate: (object, context) => judged(shape, object, undefined, { scale, part: 'all' }, context),
    validateUpdate: (next, old, context) => judged(shape, next, old, { scale, part: 'all' }, context),
    refusalWarnings: (next, old) => (shape.knownFindings(next, old)?.warnings ?? []).map(errorText),
    warnings: (object, old) => [...ruleWarnings(shape, object, old), ...finalizerWarnings(object, old)],
    ...(hasStatus === undefined
      ? {}
      : { statusSubresource: statusOf((next, old, context) => judged(shape, next, old, { scale, part: 'status' }, context)) }),
    ...(scale === undefined ? {} : { scale: scaleBy(scale) }),
    selectableFields: selectableBy(version.selectableFields),
    ...printedBy(version.additionalPrinterColumns, tellsAgesInOneUnit),
  };
  return kind;
}

/** Versions follow from each other as long as the definition has both. */
function lostVersion({ group, versions = [] }: CustomResourceDefinition['spec'], { apiVersion }: KubeObject): string | undefined {
  if (versions?.some(({ name }) => apiVersion === `${group}/${name}`)) return undefined;
  return `request to convert CR from an invalid group/version: ${apiVersion}`;
}

/** What is stored is read as its own version first; what comes back loses what its version does not know, and is filled in no more. */
function inShape(conversion: ObjectConversion, group: string, shapes: ReadonlyMap<string, Shape>): ObjectConversion {
  const shapeOf = (apiVersion: string): Shape | undefined => shapes.get(apiVersion.slice(group.length + 1));
  return {
    convert: (objects, apiVersion, asker) => {
      const settled = objects.map((object) => shapeOf(object.apiVersion)?.settled(object, object.apiVersion) ?? object);
      const converted = conversion.convert(settled, apiVersion, asker);
      return converted.map((object) => (shapeOf(apiVersion)?.read(object as unknown as JsonObject) ?? object) as unknown as KubeObject);
    },
  };
}

function withoutMeta({ metadata: _, ...rest }: KubeObject): object {
  return rest;
}

function judged(
  shape: Shape,
  object: KubeObject,
  old: KubeObject | undefined,
  { scale, part }: { readonly scale: CustomResourceSubresourceScale | undefined; readonly part: Part },
  context: Pick<StrategyContext, 'ratcheted'>,
): FieldErrorList {
  if (!context.ratcheted('PlacedSchemaFaults'))
    return [...wholeFault(shape.faults(object, undefined, 'all'), object), ...validateScale(object, scale, part)];
  const faults = [...shape.faults(object, old, part), ...validateScale(object, scale, part), ...shape.structureFaults(object, old, part)];
  const ofMetadata = (): FieldErrorList =>
    validateObjectMeta(object.metadata, object.metadata.namespace !== undefined, 'pathSegment', root('metadata'), old?.metadata);
  return shape.withRuleFaults(faults, object, old, ofMetadata);
}

/** A write of the status leaves all else as it is, whatever its body says. */
function statusOf(validateUpdate: NonNullable<SubresourceDefinition<KubeObject>['validateUpdate']>): SubresourceDefinition<KubeObject> {
  return {
    verbs: ['get', 'update', 'patch'],
    resetFields: [['metadata'], ['spec']],
    prepareForUpdate: (next, old) => {
      const { managedFields } = next.metadata;
      // What fits no type has no owners any more.
      const { managedFields: _former, ...metadata } = old.metadata;
      const owned = managedFields === undefined ? metadata : { ...metadata, managedFields };
      return withField({ ...old, metadata: owned }, 'status', (next as Sections).status);
    },
    validateUpdate,
  };
}

/** What did not change may go on to break rules, which is told. */
function ruleWarnings(shape: Shape, object: KubeObject, old: KubeObject | undefined): readonly string[] {
  return shape.hasRules && old !== undefined ? shape.judgedByRules(object, old).warnings.map(errorText) : [];
}

function finalizerWarnings(object: KubeObject, old: KubeObject | undefined): readonly string[] {
  const before = new Set(old?.metadata.finalizers ?? []);
  const added = (object.metadata.finalizers ?? []).filter((finalizer) => !before.has(finalizer));
  return [...new Set(added)].sort().flatMap((finalizer) => {
    const at = `metadata.finalizers: ${JSON.stringify(finalizer)}`;
    const faults = isQualifiedName(finalizer).map((fault) => `${at}: ${fault}`);
    if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return faults;
    const path = finalizer.includes('.') ? ' including a path (/)' : '';
    return [...faults, `${at}: prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`];
  });
}
