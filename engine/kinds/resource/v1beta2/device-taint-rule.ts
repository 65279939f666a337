/** Taints on devices. */
import type { DeviceTaintRule } from '../../../api/resource/v1beta2/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf, since } from '../../shared/table.ts';
import { withChangedRuleTime, withRuleTime } from '../v1/taint-times.ts';
import { validateTaintRule, validateTaintRuleStatus } from './taint-rule-validation.ts';

export const taintRuleColumns = columns('Name', 'Key', 'Value', 'Effect', 'TimeAdded', 'Age');

export const deviceTaintRuleKind = defineKind<DeviceTaintRule>({
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'DeviceTaintRule',
  plural: 'devicetaintrules',
  singular: 'devicetaintrule',
  namespaced: false,
  schema: 'io.k8s.api.resource.v1beta2.DeviceTaintRule',
  storagePrefix: 'devicetaintrules',
  metaChecks: { keptByStatus: true },
  statusSubresource: {
    verbs: ['get', 'patch', 'update'],
    hasTable: false,
    resetFields: [['metadata'], ['spec']],
    validateUpdate: validateTaintRuleStatus,
  },
  validate: (rule) => validateTaintRule(rule),
  validateUpdate: validateTaintRule,
  defaultsHere: withRuleTime,
  prepareForUpdate: (next, old, { nowText }) => withChangedRuleTime(withStatusOf(next, old), old, nowText),
  columns: taintRuleColumns,
  row(object, context) {
    const { key = '', value = '', effect = '', timeAdded } = object.spec?.taint ?? {};
    return [nameOf(object), key, value, effect, timeAdded ? since(timeAdded, context) : '', ageOf(object, context)];
  },
});

function withStatusOf({ status: _, ...next }: DeviceTaintRule, { status }: DeviceTaintRule): DeviceTaintRule {
  return status === undefined ? next : { ...next, status };
}
