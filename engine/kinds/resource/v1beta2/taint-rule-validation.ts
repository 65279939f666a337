/** What is wrong with a rule that taints devices. Mirrors pkg/apis/resource/validation: DeviceTaintRules. */
import type { DeviceTaintRule } from '../../../api/resource/v1beta2/types.gen.ts';
import { type FieldErrorList, root, tooMany } from '../../../apimachinery/field-errors.ts';
import { validateConditions } from '../../../apimachinery/validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';
import { validateDriverName } from '../../storage/v1/validation.ts';
import { validateTaint } from '../v1/device-validation.ts';
import { labelName, validatePoolName } from '../v1/validation.ts';

const selectorPath = specPath.child('deviceSelector');
const conditionsPath = root('status', 'conditions');
const conditionsMax = 8;

/** `old`: an effect that stays is not judged again. */
export function validateTaintRule({ spec }: DeviceTaintRule, old?: DeviceTaintRule): FieldErrorList {
  const out: Faults = [];
  const { driver, pool, device } = spec.deviceSelector ?? {};
  if (driver !== undefined) validateDriverName(driver, selectorPath.child('driver'), out);
  if (pool !== undefined) validatePoolName(pool, selectorPath.child('pool'), out);
  if (device !== undefined) labelName(device, selectorPath.child('device'), out);
  const taint = { key: '', effect: '', ...spec.taint };
  validateTaint(taint, specPath.child('taint'), out, old !== undefined && (old.spec.taint?.effect ?? '') === taint.effect);
  return out;
}

export function validateTaintRuleStatus({ status }: DeviceTaintRule): FieldErrorList {
  const conditions = status?.conditions ?? [];
  const out: Faults = [...validateConditions(conditions, conditionsPath)];
  if (conditions.length > conditionsMax) out.push(tooMany(conditionsPath, conditions.length, conditionsMax));
  return out;
}
