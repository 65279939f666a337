/** Taints on devices. */
import type { DeviceTaintRule } from '../../../api/resource/v1alpha3/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { storedAs } from '../../shared/convert.ts';
import { ageOf, nameOf, since } from '../../shared/table.ts';
import { withRuleTime } from '../v1/taint-times.ts';
import { taintRuleColumns } from '../v1beta2/device-taint-rule.ts';
import { deprecationText } from '../../shared/deprecation.ts';

export const deviceTaintRuleKind = defineKind<DeviceTaintRule>({
  group: 'resource.k8s.io',
  version: 'v1alpha3',
  kind: 'DeviceTaintRule',
  plural: 'devicetaintrules',
  singular: 'devicetaintrule',
  namespaced: false,
  schema: 'io.k8s.api.resource.v1alpha3.DeviceTaintRule',
  deprecation: deprecationText({ of: 'resource.k8s.io/v1alpha3 DeviceTaintRule', deprecated: 36, removed: 39 }),
  storagePrefix: 'devicetaintrules',
  storage: storedAs('resource.k8s.io', 'v1alpha3', 'v1beta2'),
  statusSubresource: { verbs: ['get', 'patch', 'update'], hasTable: false, resetFields: [['metadata'], ['spec']] },
  defaultsHere: withRuleTime,
  columns: taintRuleColumns,
  row(object, context) {
    const { key = '', value = '', effect = '', timeAdded } = object.spec?.taint ?? {};
    return [nameOf(object), key, value, effect, timeAdded ? since(timeAdded, context) : '', ageOf(object, context)];
  },
});
