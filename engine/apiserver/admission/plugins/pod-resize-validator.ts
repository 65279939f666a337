/** A pod grows only as far as its node could ever let it. Mirrors plugin/pkg/admission/podresize. */
import type { Node, Pod } from '../../../api/core/v1/types.gen.ts';
import { newStatusError } from '../../../apimachinery/errors.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { podRequests, toAmounts } from '../../../component-helpers/resources.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { defineAdmissionPlugin } from '../plugin.ts';
import { refusal, refuse } from '../refusal.ts';

const osLabel = 'kubernetes.io/os';

export const podResizeValidator = defineAdmissionPlugin({
  name: 'PodResizeValidator',
  verbs: ['UPDATE'],
  resources: ['pods'],
  subresources: ['resize'],
  validate(attributes) {
    const [pod, old] = [attributes.object as Pod, attributes.oldObject as Pod];
    const name = pod.spec?.nodeName ?? '';
    if (name === '' || pod.metadata.generation === old.metadata.generation) return;
    const node = attributes.lookup('', 'nodes', undefined, name) as Node | undefined;
    if (node === undefined) return refuse(attributes, `node ${goQuote(name)} not found`);
    const os = node.metadata.labels?.[osLabel] ?? 'linux';
    if (os !== 'linux')
      refuseFor(attributes, 'UnsupportedPlatform', `pod resize is only supported on linux nodes, node ${goQuote(name)} is ${goQuote(os)}`);
    const short = shortages(pod, node);
    if (short.length > 0) refuseFor(attributes, 'NodeCapacity', `node didn't have enough allocatable resources: ${short.join('; ')}`);
  },
});

function shortages(pod: Pod, node: Node): readonly string[] {
  const [requested, allocatable] = [podRequests(pod), toAmounts(node.status?.allocatable)];
  return (['cpu', 'memory'] as const).flatMap((name) => {
    const [wanted, there] = [requested[name] ?? 0, allocatable[name] ?? 0];
    return wanted > there ? [`${name}, requested: ${wanted}, allocatable: ${there}`] : [];
  });
}

function refuseFor(attributes: AdmissionAttributes, reason: string, why: string): never {
  const { status } = refusal(attributes, why);
  throw newStatusError(403, 'Forbidden', status.message ?? why, { ...status.details, causes: [{ reason }] });
}
