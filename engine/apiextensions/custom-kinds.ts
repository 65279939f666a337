/**
 * Keeps the table of kinds as the stored definitions say: a kind for each version; those that are not served are internal: objects and
 * owners of fields may still be written in them. It follows the store and not a cache of it, so a kind is there with the write that
 * establishes it, and after a restore.
 */
import type { CustomResourceDefinition, JSONSchemaProps } from '../api/apiextensions/v1/types.gen.ts';
import type { TypeNode } from '../apimachinery/managed-fields/types.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { deepEqual } from '../base/equal.ts';
import type { JsonObject } from '../base/json.ts';
import type { KindDefinition, ObjectConversion } from '../contracts/kind.ts';
import type { ResourceTable } from '../registry/resource.ts';
import type { Store } from '../store/store.ts';
import { isTrue } from '../component-helpers/definition-conditions.ts';
import { customKind } from './custom-kind.ts';
import type { MetaReader } from './schema/object-meta.ts';
import { Shape } from './shape.ts';

const prefix = '/registry/apiextensions.k8s.io/customresourcedefinitions/';

export interface CustomKindsOptions {
  readonly store: Store<KubeObject>;
  readonly table: ResourceTable;
  /** How apply sees the metadata of all kinds. */
  readonly metadataType: TypeNode;
  readonly metaReader: MetaReader;
  readonly tellsAgesInOneUnit: boolean;
  /** Who converts between the versions of a definition, where it names somebody. */
  conversionOf?(definition: CustomResourceDefinition): ObjectConversion | undefined;
}

interface Served {
  readonly definition: CustomResourceDefinition;
  readonly kinds: readonly KindDefinition[];
}

export class CustomKinds {
  readonly #options: CustomKindsOptions;
  readonly #served = new Map<string, Served>();

  constructor(options: CustomKindsOptions) {
    this.#options = options;
    options.store.watch({
      prefix,
      onChanges: (changes) => {
        for (const { key, current } of changes) this.#follow(key, current?.value as CustomResourceDefinition | undefined);
      },
    });
  }

  /** What is stored was replaced without telling. */
  reload(): void {
    for (const key of [...this.#served.keys()]) this.#follow(key, undefined);
    for (const { key, value } of this.#options.store.range({ prefix }).items) this.#follow(key, value as CustomResourceDefinition);
  }

  /** `openAPIV3Schema` of a custom kind, as its definition gives it; undefined for other kinds. */
  schemaOf(group: string, version: string, kind: string): JsonObject | undefined {
    for (const { definition } of this.#served.values()) {
      const { spec, status } = definition;
      if (spec.group !== group || (status?.acceptedNames?.kind ?? spec.names.kind) !== kind) continue;
      return (spec.versions?.find(({ name }) => name === version)?.schema?.openAPIV3Schema ?? { type: 'object' }) as unknown as JsonObject;
    }
    return undefined;
  }

  #follow(key: string, definition: CustomResourceDefinition | undefined): void {
    const before = this.#served.get(key);
    if (before !== undefined && definition !== undefined && isServedAlike(before.definition, definition)) return;
    const next = definition !== undefined && isTrue(definition, 'Established') ? this.#kindsOf(definition) : [];
    const { table } = this.#options;
    for (const kind of before?.kinds ?? [])
      table.unregister(
        kind,
        next.some(({ version, plural }) => version === kind.version && plural === kind.plural),
      );
    // What is built in goes first, as upstream's chain of servers has it.
    const kinds = next.filter(
      ({ group, version, plural, kind }) => table.find(group, version, plural) === undefined && table.findKind(group, version, kind) === undefined,
    );
    for (const kind of kinds) table.register(kind);
    if (definition === undefined || next.length === 0) this.#served.delete(key);
    else this.#served.set(key, { definition, kinds });
  }

  #kindsOf(definition: CustomResourceDefinition): readonly KindDefinition[] {
    const { metadataType, metaReader, tellsAgesInOneUnit } = this.#options;
    const { spec } = definition;
    const preservesUnknownFields = spec.preserveUnknownFields === true;
    const versions = spec.versions ?? [];
    const shape = (schema: JSONSchemaProps | undefined): Shape => new Shape({ schema, preservesUnknownFields, metadataType, metaReader });
    const shapes = new Map(versions.map((version) => [version.name, shape(version.schema?.openAPIV3Schema)]));
    const conversion = this.#options.conversionOf?.(definition);
    return versions.map((version) => customKind({ definition, version, shapes, conversion, tellsAgesInOneUnit }));
  }
}

/** Whether nothing changed that its kinds are made of. */
function isServedAlike(before: CustomResourceDefinition, now: CustomResourceDefinition): boolean {
  return (
    before.metadata.uid === now.metadata.uid &&
    deepEqual(before.spec, now.spec) &&
    deepEqual(before.status?.acceptedNames, now.status?.acceptedNames) &&
    isTrue(before, 'Established') === isTrue(now, 'Established') &&
    isTrue(before, 'Terminating') === isTrue(now, 'Terminating')
  );
}
