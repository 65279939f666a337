/** Health of control plane parts (deprecated upstream). */
import type { ComponentStatus } from '../../../api/core/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { columns, described, nameOf } from '../../shared/table.ts';

export const componentStatusKind = defineKind<ComponentStatus>({
  group: '',
  version: 'v1',
  kind: 'ComponentStatus',
  plural: 'componentstatuses',
  singular: 'componentstatus',
  shortNames: ['cs'],
  namespaced: false,
  schema: 'io.k8s.api.core.v1.ComponentStatus',
  storagePrefix: 'componentstatuses',
  verbs: ['get', 'list'],
  deprecation: 'v1 ComponentStatus is deprecated in v1.19+',
  columns: columns(
    'Name',
    described('Status', 'Status of the component conditions'),
    described('Message', 'Message of the component conditions'),
    described('Error', 'Error of the component conditions'),
  ),
  row(object) {
    const healthy = object.conditions?.find((condition) => condition.type === 'Healthy');
    const status = healthy === undefined ? 'Unknown' : healthy.status === 'True' ? 'Healthy' : 'Unhealthy';
    return [nameOf(object), status, healthy?.message ?? '', healthy?.error ?? ''];
  },
});
