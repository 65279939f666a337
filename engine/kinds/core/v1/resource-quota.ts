/** Resource quotas. Mirrors pkg/registry/core/resourcequota/strategy.go. */
import { getOwn } from '../../../base/dictionary.ts';
import type { ResourceQuota } from '../../../api/core/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { roundResourceList } from './container-defaults.ts';
import { edit } from '../../shared/defaulting.ts';
import { validateQuota, validateQuotaStatus, validateQuotaUpdate } from './resource-quota-validation.ts';

export const resourceQuotaKind = defineKind<ResourceQuota>({
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  singular: 'resourcequota',
  shortNames: ['quota'],
  namespaced: true,
  schema: 'io.k8s.api.core.v1.ResourceQuota',
  storagePrefix: 'resourcequotas',
  validate: validateQuota,
  validateUpdate: validateQuotaUpdate,
  hasGeneration: false,
  statusSubresource: { verbs: ['get', 'patch', 'update'], validateUpdate: validateQuotaStatus },
  defaults: (object) => edit(object, 'spec', (spec) => edit(spec, 'hard', roundResourceList)),
  columns: columns('Name', 'Request', 'Limit', 'Age'),
  row(object, context) {
    const { hard = {}, used = {} } = object.status ?? {};
    const names = Object.keys(hard).sort();
    const show = (limits: boolean): string =>
      names
        .filter((name) => name.startsWith('limits.') === limits)
        .map((name) => `${name}: ${getOwn(used, name) ?? '0'}/${hard[name] ?? '0'}`)
        .join(', ');
    return [nameOf(object), show(false), show(true), ageOf(object, context)];
  },
});
