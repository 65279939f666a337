/**
 * A pod that comes to a node carries the node's zone and region as labels. Mirrors plugin/pkg/admission/podtopologylabels, which is
 * on where the gate PodTopologyLabelsAdmission is.
 */
import type { Binding, Pod } from '../../../api/core/v1/types.gen.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';

const copied = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'] as const;

/** The plugin; it does nothing while the gate is off. */
export function createPodTopologyLabels(isOn: boolean): AdmissionPlugin {
  return defineAdmissionPlugin({
    name: 'PodTopologyLabels',
    verbs: ['CREATE'],
    resources: ['pods', 'bindings'],
    subresources: ['', 'binding'],
    admit: (object, attributes) => (isOn ? withLabels(object, nodeOf(object, attributes), attributes) : object),
  });
}

/** The node that a pod is created on, or that a binding names. */
function nodeOf(object: KubeObject, { resource, subresource }: AdmissionAttributes): string | undefined {
  if (resource === 'pods' && subresource === '') return (object as Pod).spec?.nodeName;
  const { target } = object as Binding;
  return target?.kind === 'Node' ? target.name : undefined;
}

function withLabels(object: KubeObject, name: string | undefined, { lookup }: AdmissionAttributes): KubeObject {
  if (name === undefined || name === '') return object;
  const labels = lookup('', 'nodes', undefined, name)?.metadata.labels;
  const found = copied.flatMap((key) => (labels?.[key] === undefined ? [] : [[key, labels[key]] as const]));
  if (found.length === 0) return object;
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...Object.fromEntries(found) } } };
}
