/** What pods get beside what they say themselves, as releases before 1.20 had it. Mirrors pkg/apis/settings and pkg/registry/settings/podpreset. */
import type { Container } from '../../../api/core/v1/types.gen.ts';
import type { PodPreset, PodPresetSpec } from '../../../api/settings/v1alpha1/types.gen.ts';
import { type FieldErrorList, required, unlessEmpty } from '../../../apimachinery/field-errors.ts';
import { validateLabelSelector } from '../../../apimachinery/validation.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { defaultContainer } from '../../core/v1/container-defaults.ts';
import { validateEnv, validateEnvFrom } from '../../core/v1/env-validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { defaultVolume } from '../../core/v1/volume-defaults.ts';
import { validateMounts, validateVolumes } from '../../core/v1/volume-validation.ts';
import { edit, editEach } from '../../shared/defaulting.ts';
import { specPath } from '../../shared/strategy.ts';

export const podPresetKind = defineKind<PodPreset>({
  group: 'settings.k8s.io',
  version: 'v1alpha1',
  kind: 'PodPreset',
  plural: 'podpresets',
  singular: 'podpreset',
  namespaced: true,
  schema: 'io.k8s.api.settings.v1alpha1.PodPreset',
  storagePrefix: 'podpresets',
  hasGeneration: true,
  defaults: (object) => edit(object, 'spec', (spec) => withFieldRefs(editEach(spec, 'volumes', defaultVolume))),
  // What a preset says stays as it was made.
  prepareForUpdate: (next, { spec }) => (spec === undefined ? next : { ...next, spec }),
  validate: validatePodPreset,
  validateUpdate: validatePodPreset,
});

/** Variables are filled in as those of a container are. */
function withFieldRefs(spec: PodPresetSpec): PodPresetSpec {
  if (spec.env === undefined) return spec;
  const { env } = defaultContainer({ name: '', env: spec.env } satisfies Container);
  return env === undefined || env === spec.env ? spec : { ...spec, env };
}

function validatePodPreset({ spec = {} }: PodPreset): FieldErrorList {
  const out: Faults = [...validateLabelSelector(spec.selector, specPath.child('selector'))];
  const { env, envFrom, volumes, volumeMounts } = spec;
  if (env === undefined && envFrom === undefined && volumes === undefined && volumeMounts === undefined)
    out.push(unlessEmpty(required(specPath.child('volumes', 'env', 'envFrom', 'volumeMounts'), 'must specify at least one')));
  const known = validateVolumes(volumes, { podName: '', isPod: false }, specPath.child('volumes'), out);
  validateEnv(env ?? [], false, specPath.child('env'), out);
  validateEnvFrom(envFrom ?? [], specPath.child('envFrom'), out);
  validateMounts({ name: '', ...(volumeMounts !== undefined && { volumeMounts }) }, known, specPath, out);
  return out;
}
