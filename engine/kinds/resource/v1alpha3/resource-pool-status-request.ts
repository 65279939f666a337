/** Questions about the state of device pools (alpha). */
import type { ResourcePoolStatusRequest } from '../../../api/resource/v1alpha3/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { edit, fill } from '../../shared/defaulting.ts';
import { columns, described, integerColumn } from '../../shared/table.ts';
import { poolCells } from './pool-table.ts';
import { validatePoolAnswer, validatePoolRequest, validatePoolRequestUpdate } from './pool-request-validation.ts';

const limitOfPools = Object.freeze({ limit: 100 });

export const resourcePoolStatusRequestKind = defineKind<ResourcePoolStatusRequest>({
  group: 'resource.k8s.io',
  version: 'v1alpha3',
  kind: 'ResourcePoolStatusRequest',
  plural: 'resourcepoolstatusrequests',
  singular: 'resourcepoolstatusrequest',
  namespaced: false,
  schema: 'io.k8s.api.resource.v1alpha3.ResourcePoolStatusRequest',
  storagePrefix: 'resourcepoolstatusrequests',
  hasGeneration: false,
  defaults: (request) => edit(request, 'spec', (spec) => fill(spec, limitOfPools)),
  metaChecks: { keptByStatus: true },
  statusSubresource: {
    verbs: ['get', 'patch', 'update'],
    hasTable: false,
    resetFields: [['metadata'], ['spec']],
    validateUpdate: validatePoolAnswer,
  },
  validate: validatePoolRequest,
  validateUpdate: validatePoolRequestUpdate,
  allowUnconditionalUpdate: false,
  columns: columns(
    'Name',
    described('Driver', 'The driver to query pools for.'),
    described('Total', 'Total number of devices across all pools.'),
    described('Available', 'Number of available devices across all pools.'),
    described('Allocated', 'Number of allocated devices across all pools.'),
    described('Unavailable', 'Number of unavailable devices across all pools.'),
    described('Errors', 'Number of pools with validation errors.'),
    integerColumn('Pools', 'Total number of matching pools.'),
    described('Status', 'Processing status.'),
    described('Completed', 'Time since the observation completed.'),
  ),
  row: (object, context) => [...poolCells(object, context)],
});
