/** Questions about the state of device pools (alpha). */
import type { ResourcePoolStatusRequest } from '../../../api/resource/v1alpha3/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { columns, integerColumn } from '../../shared/table.ts';
import { poolCells } from './pool-table.ts';

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
  statusSubresource: { verbs: ['get', 'patch', 'update'], resetFields: [['metadata'], ['spec']] },
  allowUnconditionalUpdate: false,
  columns: columns('Name', 'Driver', 'Total', 'Available', 'Allocated', 'Unavailable', 'Errors', integerColumn('Pools'), 'Status', 'Completed'),
  row: (object, context) => [...poolCells(object, context)],
});
