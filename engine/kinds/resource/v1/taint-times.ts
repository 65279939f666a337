/** When taints of devices were put there, where nobody says: now. Mirrors SetDefaults_DeviceTaint of pkg/apis/resource/v1/defaults.go. */
import type { ResourceSlice } from '../../../api/resource/v1/types.gen.ts';
import type { ResourceSlice as BasicSlice } from '../../../api/resource/v1beta1/types.gen.ts';
import type { DeviceTaintRule } from '../../../api/resource/v1beta2/types.gen.ts';
import { edit, editEach } from '../../shared/defaulting.ts';

interface Here {
  readonly nowText: string;
}

interface Taint {
  readonly timeAdded?: string;
}

function timed<T extends Taint>(taint: T, nowText: string): T {
  return taint.timeAdded === undefined || taint.timeAdded === null ? { ...taint, timeAdded: nowText } : taint;
}

export function withTaintTimes(slice: ResourceSlice, { nowText }: Here): ResourceSlice {
  return edit(slice, 'spec', (spec) => editEach(spec, 'devices', (device) => editEach(device, 'taints', (taint) => timed(taint, nowText))));
}

/** Of a slice of v1beta1. */
export function withBasicTaintTimes(slice: BasicSlice, { nowText }: Here): BasicSlice {
  return edit(slice, 'spec', (spec) =>
    editEach(spec, 'devices', (device) => edit(device, 'basic', (basic) => editEach(basic, 'taints', (taint) => timed(taint, nowText)))),
  );
}

export function withRuleTime(rule: DeviceTaintRule, { nowText }: Here): DeviceTaintRule {
  return edit(rule, 'spec', (spec) => edit(spec, 'taint', (taint) => timed(taint, nowText)));
}

/** Of an update: an effect that has changed begins anew, unless the writer says since when (PrepareForUpdate of the rule's strategy). */
export function withChangedRuleTime(rule: DeviceTaintRule, old: DeviceTaintRule, nowText: string): DeviceTaintRule {
  const before = old.spec.taint;
  return edit(rule, 'spec', (spec) =>
    edit(spec, 'taint', (taint) =>
      taint.effect !== before?.effect && taint.timeAdded === before?.timeAdded ? { ...taint, timeAdded: nowText } : taint,
    ),
  );
}
