/** Kinds of the sim group whose objects are computed when read. */
import type { FieldSchema } from '../apimachinery/schema.ts';
import { defineKind, type KindDefinition } from '../contracts/kind.ts';
import { messageField, scalarField } from '../kinds/sim/v1alpha1/schema-fields.ts';

export const simGroup = 'sim.wavetank.dev';

export function virtualKind(
  kind: string,
  plural: string,
  namespaced: boolean,
  fields: readonly FieldSchema[],
  table: Pick<KindDefinition, 'columns' | 'row' | 'schemas'> = {},
): KindDefinition {
  return defineKind({
    group: simGroup,
    version: 'v1alpha1',
    kind,
    plural,
    singular: kind.toLowerCase(),
    categories: [],
    namespaced,
    schema: {
      name: `dev.wavetank.sim.v1alpha1.${kind}`,
      fields: [
        scalarField('kind', 0, 'string'),
        scalarField('apiVersion', 0, 'string'),
        messageField('metadata', 1, 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'),
        ...fields,
      ],
    },
    storagePrefix: `${simGroup}/${plural}`,
    hasGeneration: false,
    ...table,
  });
}
