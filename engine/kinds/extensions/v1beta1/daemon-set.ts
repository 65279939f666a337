/** Daemon sets as extensions/v1beta1 had them: replaced on deletion only, with a generation of the template. Mirrors pkg/apis/extensions/v1beta1. */
import type { DaemonSet as Stored } from '../../../api/apps/v1/types.gen.ts';
import type { DaemonSet } from '../../../api/extensions/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { daemonSetKind as stored } from '../../apps/v1/daemon-set.ts';
import { generationAnnotation, generationOf } from '../../apps/v1/template-generation.ts';
import { edit, ensure, fillZero } from '../../shared/defaulting.ts';
import { defaultFromTemplate } from '../../shared/older-workloads.ts';
import { olderForm } from '../../shared/older.ts';

export const daemonSetKind = defineKind<DaemonSet>(
  olderForm(stored, {
    group: 'extensions',
    version: 'v1beta1',
    schema: 'io.k8s.api.extensions.v1beta1.DaemonSet',
    deprecated: 8,
    removed: 16,
    defaults: (object) =>
      edit(defaultFromTemplate(object), 'spec', (spec) => ensure(spec, 'updateStrategy', (strategy) => fillZero(strategy, { type: 'OnDelete' }))),
    toStored: hideGeneration,
    fromStored: showGeneration,
  }),
);

function hideGeneration(object: DaemonSet): Stored {
  const { templateGeneration, ...spec } = object.spec ?? ({} as NonNullable<DaemonSet['spec']>);
  if (templateGeneration === undefined) return object as unknown as Stored;
  const annotations = { ...object.metadata.annotations, [generationAnnotation]: String(templateGeneration) };
  return { ...object, metadata: { ...object.metadata, annotations }, spec } as unknown as Stored;
}

function showGeneration(object: Stored): DaemonSet {
  const { [generationAnnotation]: generation, ...annotations } = object.metadata.annotations ?? {};
  if (generation === undefined) return object as unknown as DaemonSet;
  const { annotations: _stored, ...metadata } = object.metadata;
  const kept = Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations };
  return { ...object, metadata: kept, spec: { ...object.spec, templateGeneration: generationOf(generation) } } as unknown as DaemonSet;
}
