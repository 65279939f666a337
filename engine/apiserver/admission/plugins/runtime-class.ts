/**
 * Pods of a runtime class get its overhead, its node selector and its tolerations; a class that is missing refuses them. Mirrors
 * plugin/pkg/admission/runtimeclass.
 */
import { setOwn } from '../../../base/dictionary.ts';
import type { Pod, PodSpec, Toleration } from '../../../api/core/v1/types.gen.ts';
import type { RuntimeClass } from '../../../api/node/v1/types.gen.ts';
import { newStatusError } from '../../../apimachinery/errors.ts';
import { compareQuantity, parseQuantity } from '../../../apimachinery/quantity.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { defineAdmissionPlugin } from '../plugin.ts';
import { refusal, unaskableName } from '../refusal.ts';

type Amounts = { readonly [name: string]: string };

const mismatch = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

export const runtimeClass = defineAdmissionPlugin({
  name: 'RuntimeClass',
  verbs: ['CREATE'],
  resources: ['pods'],
  admit(object, attributes) {
    const pod = object as Pod;
    const found = classOf(pod, attributes);
    if (found === undefined || pod.spec === undefined) return object;
    const spec = withScheduling(withOverhead(pod.spec, found, attributes), found, attributes);
    return spec === pod.spec ? object : { ...pod, spec };
  },
  validate(attributes) {
    const pod = attributes.object as Pod;
    const overhead = pod.spec?.overhead as Amounts | undefined;
    const wanted = classOf(pod, attributes)?.overhead?.podFixed as Amounts | undefined;
    if (classOf(pod, attributes)?.overhead !== undefined) {
      if (!equalAmounts(wanted, overhead)) throw refusal(attributes, mismatch);
    } else if (overhead !== undefined) {
      throw refusal(attributes, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
    }
  },
});

function classOf(pod: Pod, attributes: AdmissionAttributes): RuntimeClass | undefined {
  const name = pod.spec?.runtimeClassName;
  if (name === undefined) return undefined;
  if (name === '') throw newStatusError(500, '', 'resource name may not be empty');
  const unaskable = unaskableName(name);
  if (unaskable !== undefined) throw newStatusError(500, '', unaskable);
  const found = attributes.lookup('node.k8s.io', 'runtimeclasses', undefined, name) as RuntimeClass | undefined;
  if (found === undefined) throw refusal(attributes, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  return found;
}

function withOverhead(spec: PodSpec, found: RuntimeClass, attributes: AdmissionAttributes): PodSpec {
  const fixed = found.overhead?.podFixed;
  if (fixed === undefined) return spec;
  if (spec.overhead !== undefined && Object.keys(spec.overhead).length > 0 && !equalAmounts(fixed, spec.overhead))
    throw refusal(attributes, mismatch);
  return { ...spec, overhead: fixed };
}

function withScheduling(spec: PodSpec, found: RuntimeClass, attributes: AdmissionAttributes): PodSpec {
  const { scheduling } = found;
  if (scheduling === undefined) return spec;
  const selector: { [key: string]: string } = { ...spec.nodeSelector };
  for (const [key, value] of Object.entries(scheduling.nodeSelector ?? {})) {
    const own = selector[key];
    if (own !== undefined && own !== value) {
      throw refusal(attributes, `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`);
    }
    setOwn(selector, key, value);
  }
  const tolerations = mergeTolerations(spec.tolerations ?? [], scheduling.tolerations ?? []);
  return {
    ...spec,
    ...(Object.keys(selector).length > 0 ? { nodeSelector: Object.fromEntries(Object.entries(selector).sort(([a], [b]) => (a < b ? -1 : 1))) } : {}),
    ...(tolerations.length > 0 ? { tolerations } : {}),
  };
}

/** What another toleration of the union covers is dropped; of equals the first stays. */
function mergeTolerations(own: readonly Toleration[], more: readonly Toleration[]): readonly Toleration[] {
  const all = [...own, ...more];
  return all.filter(
    (entry, index) => !all.some((other, at) => at !== index && isSuperset(other, entry) && (at < index || !isSuperset(entry, other))),
  );
}

function isSuperset(wide: Toleration, narrow: Toleration): boolean {
  if (wide.key !== narrow.key && !(!wide.key && wide.operator === 'Exists')) return false;
  if (wide.effect && wide.effect !== narrow.effect) return false;
  if (wide.effect === 'NoExecute' && wide.tolerationSeconds !== undefined) {
    if (narrow.tolerationSeconds === undefined || wide.tolerationSeconds < narrow.tolerationSeconds) return false;
  }
  if (wide.operator === 'Exists') return true;
  return (wide.operator ?? 'Equal') === (narrow.operator ?? 'Equal') && (wide.value ?? '') === (narrow.value ?? '');
}

function equalAmounts(a: Amounts | undefined, b: Amounts | undefined): boolean {
  const names = Object.keys(a ?? {});
  if (names.length !== Object.keys(b ?? {}).length) return false;
  return names.every((name) => b?.[name] !== undefined && compareQuantity(parseQuantity(a?.[name] ?? '0'), parseQuantity(b[name] ?? '0')) === 0);
}
