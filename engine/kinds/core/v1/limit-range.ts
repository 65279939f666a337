/** Limit ranges. */
import type { LimitRange } from '../../../api/core/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { defaultLimitRangeItem } from './limit-range-defaults.ts';
import { edit, editEach } from '../../shared/defaulting.ts';
import { validateLimitRange } from './limit-range-validation.ts';

export const limitRangeKind = defineKind<LimitRange>({
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  metaChecks: { update: 'M' },
  plural: 'limitranges',
  singular: 'limitrange',
  shortNames: ['limits'],
  namespaced: true,
  schema: 'io.k8s.api.core.v1.LimitRange',
  storagePrefix: 'limitranges',
  // Without a name it gets one that nobody else has.
  prepareForCreate: (object, context) => (object.metadata.name ? object : { ...object, metadata: { ...object.metadata, name: context.newUid() } }),
  validate: validateLimitRange,
  validateUpdate: validateLimitRange,
  hasGeneration: false,
  allowCreateOnUpdate: true,
  defaults: (object) => edit(object, 'spec', (spec) => editEach(spec, 'limits', defaultLimitRangeItem)),
});
