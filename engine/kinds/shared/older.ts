/**
 * Versions of releases gone by that are served all the same: stored as the present version, converted both ways, answered with
 * upstream's warning. Who sees them is the release's affair. Mirrors apiserver pkg/endpoints/deprecation.
 */
import type { KindDefinition } from '../../contracts/kind.ts';
import { formatGroupVersion, type KubeObject } from '../../apimachinery/object.ts';

export interface OlderForm<T extends KubeObject, S extends KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly schema: string;
  /** Minor releases in which it was deprecated and removed. */
  readonly deprecated: number;
  readonly removed: number;
  /** The version's own defaults; those of the stored version follow. */
  defaults?(object: T): T;
  /** Everything but apiVersion, which is set afterwards. */
  toStored?(object: T): S;
  fromStored?(object: S): T;
  /** Group and version of the body of `scale`, where it is not autoscaling/v1. */
  readonly ownScale?: boolean;
}

/** The definition of an older version of `stored`. */
export function olderForm<T extends KubeObject, S extends KubeObject>(stored: KindDefinition<S>, form: OlderForm<T, S>): KindDefinition<T> {
  const { group, version } = form;
  const own = formatGroupVersion(form);
  const kept = formatGroupVersion(stored);
  const toStorage = (object: T): S => {
    const converted = form.toStored === undefined ? object : form.toStored(object);
    const labelled = { ...converted, apiVersion: kept } as unknown as S;
    return stored.defaults === undefined ? labelled : stored.defaults(labelled);
  };
  const fromStorage = (object: KubeObject): T =>
    ({ ...(form.fromStored === undefined ? object : form.fromStored(object as S)), apiVersion: own }) as T;
  const { row, scale, selectableFields } = stored;
  return {
    ...sharedParts(stored),
    group,
    version,
    schema: form.schema,
    storage: { group: stored.group, version: stored.version, toStorage, fromStorage },
    deprecation: `${own} ${stored.kind} is deprecated in v1.${form.deprecated}+, unavailable in v1.${form.removed}+; use ${kept} ${stored.kind}`,
    ...(stored.statusSubresource === undefined ? undefined : { statusSubresource: true }),
    ...(form.defaults === undefined ? undefined : { defaults: (object: T) => form.defaults?.(object) ?? object }),
    ...(row === undefined ? undefined : { row: (object: T, context) => row(toStorage(object), context) }),
    ...(selectableFields === undefined ? undefined : { selectableFields: readThrough(selectableFields, toStorage) }),
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

type Shared = 'kind' | 'plural' | 'singular' | 'shortNames' | 'categories' | 'namespaced' | 'storagePrefix' | 'verbs' | 'hasGeneration' | 'columns';

/** What no version changes. Subresources that are more than a status belong to the stored version. */
function sharedParts<S extends KubeObject>(stored: KindDefinition<S>): Pick<KindDefinition, Shared> {
  const { kind, plural, singular, shortNames, categories, namespaced, storagePrefix, verbs, hasGeneration, columns } = stored;
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
  };
}

function readThrough<T, S>(
  fields: { readonly [label: string]: (object: S) => string },
  convert: (object: T) => S,
): { readonly [label: string]: (object: T) => string } {
  return Object.fromEntries(Object.entries(fields).map(([label, read]) => [label, (object: T) => read(convert(object))]));
}
