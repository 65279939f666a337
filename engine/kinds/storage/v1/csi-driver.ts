/** CSI drivers. */
import type { CSIDriver } from '../../../api/storage/v1/types.gen.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, booleanColumn, columns, nameOf } from '../../shared/table.ts';
import { edit, fill } from '../../shared/defaulting.ts';
import { validateDriver, validateDriverUpdate } from './driver-validation.ts';

const driverDefaults = Object.freeze({
  attachRequired: true,
  podInfoOnMount: false,
  storageCapacity: false,
  fsGroupPolicy: 'ReadWriteOnceWithFSType',
  requiresRepublish: false,
  seLinuxMount: false,
});

const waitsForNone = Object.freeze({ preventPodSchedulingIfMissing: false });

export const csiDriverKind = defineKind<CSIDriver>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIDriver',
  plural: 'csidrivers',
  singular: 'csidriver',
  namespaced: false,
  schema: 'io.k8s.api.storage.v1.CSIDriver',
  storagePrefix: 'csidrivers',
  gatedFields: [{ gates: ['VolumeLimitScaling'], fields: ['spec.preventPodSchedulingIfMissing'] }],
  validate: validateDriver,
  validateUpdate: validateDriverUpdate,
  hasGeneration: false,
  prepareForUpdate: (next, old) => {
    // It has no generation until it changes.
    if (semanticEqual(next.spec, old.spec)) return next;
    return { ...next, metadata: { ...next.metadata, generation: (old.metadata.generation ?? 0) + 1 } };
  },
  warnings: ({ spec }, old) =>
    (spec?.tokenRequests?.length ?? 0) > 0 &&
    spec?.serviceAccountTokenInSecrets === undefined &&
    !semanticEqual(spec.tokenRequests, old?.spec?.tokenRequests)
      ? [
          'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
        ]
      : [],
  allowUnconditionalUpdate: false,
  defaults: (object) =>
    edit(object, 'spec', (spec) => {
      const filled = fill(spec, driverDefaults);
      return filled.volumeLifecycleModes?.length ? filled : { ...filled, volumeLifecycleModes: ['Persistent'] };
    }),
  defaultsHere: (driver, { featureEnabled }) =>
    featureEnabled('VolumeLimitScaling') ? edit(driver, 'spec', (spec) => fill(spec, waitsForNone)) : driver,
  columns: columns(
    'Name',
    booleanColumn('AttachRequired'),
    booleanColumn('PodInfoOnMount'),
    booleanColumn('StorageCapacity'),
    'TokenRequests',
    booleanColumn('RequiresRepublish'),
    'Modes',
    'Age',
  ),
  row(object, context) {
    const {
      attachRequired = true,
      podInfoOnMount = false,
      storageCapacity = false,
      requiresRepublish = false,
      tokenRequests,
      volumeLifecycleModes,
    } = object.spec ?? {};
    const tokens = tokenRequests ? tokenRequests.map((request) => request.audience).join(',') : '<unset>';
    const modes = (volumeLifecycleModes ?? []).join(',') || '<none>';
    return [nameOf(object), attachRequired, podInfoOnMount, storageCapacity, tokens, requiresRepublish, modes, ageOf(object, context)];
  },
});
