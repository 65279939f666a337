/**
 * Versions of releases gone by that are served all the same: stored as the present version, converted both ways, answered with
 * upstream's warning. Who sees them is the release's affair. Mirrors apiserver pkg/endpoints/deprecation.
 */
import { assert } from '../../base/assert.ts';
import type { FieldErrorList } from '../../apimachinery/field-errors.ts';
import type { KindDefinition, StrategyContext } from '../../contracts/kind.ts';
import type { Verb } from '../../contracts/request.ts';
import { formatGroupVersion, type KubeObject } from '../../apimachinery/object.ts';
import { deprecationText } from './deprecation.ts';

export interface OlderForm<T extends KubeObject, S extends KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly schema: string;
  /** Minor releases in which it was deprecated and removed. */
  readonly deprecated: number;
  readonly removed: number;
  /** The version's own defaults; those of the stored version follow. */
  defaults?(object: T): T;
  readonly defaultsHere?: NonNullable<KindDefinition<T>['defaultsHere']>;
  /** Everything but apiVersion, which is set afterwards. */
  toStored?(object: T): S;
  fromStored?(object: S): T;
  /** As the same of `KindDefinition.storage`. */
  readonly movesFields?: true;
  /** As the same of `KindDefinition`. */
  versionFaults?(object: T, context: StrategyContext): FieldErrorList;
  withVersionFaults?(told: FieldErrorList, found: FieldErrorList): FieldErrorList;
  /** Group and version of the body of `scale`, where it is not autoscaling/v1. */
  readonly ownScale?: boolean;
  /** It has no `status` to write apart, though the stored version has. */
  readonly withoutStatus?: true;
  /** Further subresources; what they do is the stored version's affair. */
  readonly subresources?: { readonly [name: string]: { readonly verbs: readonly Verb[] } };
  /** Where they are others than the stored version's. */
  readonly selectableFields?: { readonly [label: string]: (object: T) => string };
}

/** The definition of an older version of `stored`. */
export function olderForm<T extends KubeObject, S extends KubeObject>(stored: KindDefinition<S>, form: OlderForm<T, S>): KindDefinition<T> {
  const { group, version } = form;
  const { toStorage, fromStorage } = conversions(stored, form);
  const { row, scale, selectableFields } = stored;
  const selectable = form.selectableFields ?? (selectableFields === undefined ? undefined : readThrough(selectableFields, toStorage));
  return {
    ...sharedParts(stored),
    group,
    version,
    schema: form.schema,
    storage: { group: stored.group, version: stored.version, toStorage, fromStorage, ...(form.movesFields && { movesFields: true }) },
    deprecation: deprecationOf(stored, form),
    ...(stored.isCached === undefined ? undefined : { isCached: stored.isCached }),
    ...(stored.defaultPropagation === 'Unsupported' ? { defaultPropagation: stored.defaultPropagation } : undefined),
    ...(stored.statusSubresource === undefined || form.withoutStatus === true ? undefined : { statusSubresource: true }),
    ...(form.versionFaults === undefined ? undefined : { versionFaults: (object: T, context) => form.versionFaults?.(object, context) ?? [] }),
    ...(form.withVersionFaults === undefined ? undefined : { withVersionFaults: (told, found) => form.withVersionFaults?.(told, found) ?? told }),
    ...(form.subresources === undefined ? undefined : { subresources: form.subresources }),
    ...(form.defaults === undefined ? undefined : { defaults: (object: T) => form.defaults?.(object) ?? object }),
    ...(form.defaultsHere === undefined ? undefined : { defaultsHere: form.defaultsHere }),
    ...(row === undefined ? undefined : { row: (object: T, context) => row(toStorage(object), context) }),
    ...(selectable === undefined ? undefined : { selectableFields: selectable }),
    ...(scale === undefined
      ? undefined
      : {
          scale: {
            ...(form.ownScale === true ? { body: { group, version } } : undefined),
            getReplicas: (object: T) => scale.getReplicas(toStorage(object)),
            getStatusReplicas: (object: T) => scale.getStatusReplicas(toStorage(object)),
            getSelector: (object: T) => scale.getSelector(toStorage(object)),
            setReplicas: (object: T, replicas: number) => fromStorage(scale.setReplicas(toStorage(object), replicas)),
          },
        }),
  };
}

/** The definition of an older version of a review, which is answered and not stored. */
export function olderReview<T extends KubeObject, S extends KubeObject>(present: KindDefinition<S>, form: OlderForm<T, S>): KindDefinition<T> {
  const { toStorage, fromStorage } = conversions(present, form);
  const { createOnly, validate } = present;
  assert(createOnly, `${present.kind} is a review`);
  return {
    ...sharedParts(present),
    group: form.group,
    version: form.version,
    schema: form.schema,
    nameValidation: 'none',
    deprecation: deprecationOf(present, form),
    ...(validate === undefined ? undefined : { validate: (object: T, context) => validate(toStorage(object), context) }),
    createOnly: (object, context) => fromStorage(createOnly(toStorage(object), context)),
  };
}

interface Conversions<T, S> {
  readonly toStorage: (object: T) => S;
  readonly fromStorage: (object: KubeObject) => T;
}

function conversions<T extends KubeObject, S extends KubeObject>(stored: KindDefinition<S>, form: OlderForm<T, S>): Conversions<T, S> {
  const own = formatGroupVersion(form);
  const kept = formatGroupVersion(stored);
  return {
    toStorage: (object) => {
      const converted = form.toStored === undefined ? object : form.toStored(object);
      const labelled = { ...converted, apiVersion: kept } as unknown as S;
      return stored.defaults === undefined ? labelled : stored.defaults(labelled);
    },
    fromStorage: (object) => ({ ...(form.fromStored === undefined ? object : form.fromStored(object as S)), apiVersion: own }) as T,
  };
}

function deprecationOf<T extends KubeObject, S extends KubeObject>(stored: KindDefinition<S>, form: OlderForm<T, S>): string {
  const { deprecated, removed } = form;
  return deprecationText({
    of: `${formatGroupVersion(form)} ${stored.kind}`,
    deprecated,
    removed,
    instead: `${formatGroupVersion(stored)} ${stored.kind}`,
  });
}

type Shared =
  | 'kind'
  | 'plural'
  | 'singular'
  | 'shortNames'
  | 'categories'
  | 'namespaced'
  | 'storagePrefix'
  | 'verbs'
  | 'hasGeneration'
  | 'columns'
  | 'fieldAnnotations'
  | 'fieldLabels';

/** What no version changes. Subresources that are more than a status belong to the stored version. */
function sharedParts<S extends KubeObject>(stored: KindDefinition<S>): Pick<KindDefinition, Shared> {
  const { kind, plural, singular, shortNames, categories, namespaced, storagePrefix, verbs, hasGeneration, columns, fieldAnnotations, fieldLabels } =
    stored;
  return {
    kind,
    plural,
    singular,
    namespaced,
    storagePrefix,
    ...(shortNames === undefined ? undefined : { shortNames }),
    ...(categories === undefined ? undefined : { categories }),
    ...(verbs === undefined ? undefined : { verbs }),
    ...(hasGeneration === undefined ? undefined : { hasGeneration }),
    ...(columns === undefined ? undefined : { columns }),
    ...(fieldAnnotations === undefined ? undefined : { fieldAnnotations }),
    ...(fieldLabels === undefined ? undefined : { fieldLabels }),
  };
}

function readThrough<T, S>(
  fields: { readonly [label: string]: (object: S) => string },
  convert: (object: T) => S,
): { readonly [label: string]: (object: T) => string } {
  return Object.fromEntries(Object.entries(fields).map(([label, read]) => [label, (object: T) => read(convert(object))]));
}
