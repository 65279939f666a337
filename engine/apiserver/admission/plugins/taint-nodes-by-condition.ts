/** A new node is tainted not-ready until it proves otherwise. Mirrors plugin/pkg/admission/nodetaint. */
import type { Node } from '../../../api/core/v1/types.gen.ts';
import { defineAdmissionPlugin } from '../plugin.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

export const taintNodesByCondition = defineAdmissionPlugin({
  name: 'TaintNodesByCondition',
  verbs: ['CREATE'],
  resources: ['nodes'],
  admit(object) {
    const node = object as Node;
    const taints = node.spec?.taints ?? [];
    if (taints.some((taint) => taint.key === notReady.key && taint.effect === notReady.effect)) return object;
    return { ...node, spec: { ...node.spec, taints: [...taints, notReady] } };
  },
});
