/** Pods stay for a while on a node that is not ready or cannot be reached. Mirrors plugin/pkg/admission/defaulttolerationseconds. */
import type { Pod, Toleration } from '../../../api/core/v1/types.gen.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';

export function createDefaultTolerationSeconds(notReadySeconds: number, unreachableSeconds: number): AdmissionPlugin {
  const wanted: readonly Toleration[] = [
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: notReadySeconds },
    { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: unreachableSeconds },
  ];
  return defineAdmissionPlugin({
    name: 'DefaultTolerationSeconds',
    verbs: ['CREATE', 'UPDATE'],
    resources: ['pods'],
    admit(object) {
      const pod = object as Pod;
      const tolerations = pod.spec?.tolerations ?? [];
      const missing = wanted.filter((toleration) => !tolerations.some((given) => covers(given, toleration)));
      if (missing.length === 0 || pod.spec === undefined) return object;
      return { ...pod, spec: { ...pod.spec, tolerations: tolerations.length === 0 ? wanted : [...tolerations, ...missing] } };
    },
  });
}

/** Of one without a key upstream does not ask the operator; validation refuses it afterwards where that does not fit. */
function covers(given: Toleration, wanted: Toleration): boolean {
  return (!given.key || given.key === wanted.key) && (!given.effect || given.effect === wanted.effect);
}
