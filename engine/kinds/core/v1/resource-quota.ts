/** Resource quotas. Mirrors pkg/registry/core/resourcequota/strategy.go. */
import { getOwn } from '../../../base/dictionary.ts';
import type { ResourceQuota } from '../../../api/core/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, described, nameOf } from '../../shared/table.ts';
import { roundResourceList } from './container-defaults.ts';
import { edit } from '../../shared/defaulting.ts';
import { compareQuantity, parseQuantity } from '../../../apimachinery/quantity.ts';
import { validateQuota, validateQuotaStatus, validateQuotaUpdate } from './resource-quota-validation.ts';

/** Of what is requested more of than it is limited to. */
function limitWarnings(hard: { readonly [resource: string]: string }): readonly string[] {
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((resource) => {
    const isPlain = resource === 'cpu' || resource === 'memory';
    const request = [`requests.${resource}`, ...(isPlain ? [resource] : [])].find((name) => Object.hasOwn(hard, name));
    const limit = `limits.${resource}`;
    const [asked, most] = [request === undefined ? undefined : getOwn(hard, request), getOwn(hard, limit)];
    if (asked === undefined || most === undefined || compareQuantity(parseQuantity(asked), parseQuantity(most)) <= 0) return [];
    return [`ResourceQuota ${request} (${asked}) should be less than ${limit} (${most})`];
  });
}

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
  defaults: (object) =>
    edit(
      edit(object, 'spec', (spec) => edit(spec, 'hard', roundResourceList)),
      'status',
      (status) => edit(edit(status, 'hard', roundResourceList), 'used', roundResourceList),
    ),
  warnings: ({ spec }, old) => (old === undefined ? limitWarnings(spec?.hard ?? {}) : []),
  columns: columns(
    'Name',
    described('Request', 'Request represents a minimum amount of cpu/memory that a container may consume.'),
    described('Limit', 'Limits control the maximum amount of cpu/memory that a container may use independent of contention on the node.'),
    'Age',
  ),
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
