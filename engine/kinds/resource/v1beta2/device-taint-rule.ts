/** Taints on devices. */
import type { DeviceTaintRule } from '../../../api/resource/v1beta2/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf, since } from '../../shared/table.ts';
import { withChangedRuleTime, withRuleTime } from '../v1/taint-times.ts';

export const deviceTaintRuleKind = defineKind<DeviceTaintRule>({
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'DeviceTaintRule',
  plural: 'devicetaintrules',
  singular: 'devicetaintrule',
  namespaced: false,
  schema: 'io.k8s.api.resource.v1beta2.DeviceTaintRule',
  storagePrefix: 'devicetaintrules',
  statusSubresource: { verbs: ['get', 'patch', 'update'], resetFields: [['metadata'], ['spec']] },
  prepareForCreate: (rule, { nowText }) => withRuleTime(rule, nowText),
  prepareForUpdate: (next, old, { nowText }) => withChangedRuleTime(withStatusOf(next, old), old, nowText),
  columns: columns('Name', 'Key', 'Value', 'Effect', 'TimeAdded', 'Age'),
  row(object, context) {
    const { key = '', value = '', effect = '', timeAdded } = object.spec?.taint ?? {};
    return [nameOf(object), key, value, effect, timeAdded ? since(timeAdded, context) : '', ageOf(object, context)];
  },
});

function withStatusOf({ status: _, ...next }: DeviceTaintRule, { status }: DeviceTaintRule): DeviceTaintRule {
  return status === undefined ? next : { ...next, status };
}
