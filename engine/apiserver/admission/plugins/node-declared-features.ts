/**
 * A pod may be changed only to what its node says it can do. Mirrors plugin/pkg/admission/nodedeclaredfeatures and what component-helpers
 * nodedeclaredfeatures/features of 1.36 infers from an update.
 */
import type { Container, Node, Pod } from '../../../api/core/v1/types.gen.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { deepEqual } from '../../../base/equal.ts';
import type { JsonValue } from '../../../base/json.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';
import { refuse } from '../refusal.ts';

interface Feature {
  readonly name: string;
  isNeeded(pod: Pod, old: Pod): boolean;
}

/** In the order of upstream's registry, in which those that are missing are named. */
const features: readonly Feature[] = [
  {
    name: 'InPlacePodLevelResourcesVerticalScaling',
    isNeeded: (pod, old) => !isSame(pod.spec?.resources, old.spec?.resources),
  },
  {
    name: 'InPlacePodVerticalScalingInitContainers',
    isNeeded: (pod, old) =>
      (old.spec?.initContainers ?? []).some(
        (container, index) => !isSidecar(container) && !isSame(container.resources, pod.spec?.initContainers?.[index]?.resources),
      ),
  },
];

/** The plugin; it does nothing while the gate is off. */
export function createNodeDeclaredFeatureValidator(isOn: boolean): AdmissionPlugin {
  return defineAdmissionPlugin({
    name: 'NodeDeclaredFeatureValidator',
    verbs: ['UPDATE'],
    resources: ['pods'],
    subresources: ['', 'resize'],
    validate(attributes) {
      const [pod, old] = [attributes.object as Pod, attributes.oldObject as Pod];
      const name = pod.spec?.nodeName ?? '';
      if (!isOn || name === '' || pod.metadata.generation === old.metadata.generation) return;
      const needed = features.filter((feature) => feature.isNeeded(pod, old)).map((feature) => feature.name);
      if (needed.length === 0) return;
      const node = attributes.lookup('', 'nodes', undefined, name) as Node | undefined;
      if (node === undefined) return refuse(attributes, `node ${goQuote(name)} not found`);
      const missing = needed.filter((feature) => node.status?.declaredFeatures?.includes(feature) !== true);
      if (missing.length > 0)
        refuse(attributes, `pod update requires features ${missing.join(', ')} which are not available on node ${goQuote(name)}`);
    },
  });
}

function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}

function isSame(one: unknown, other: unknown): boolean {
  return deepEqual((one ?? {}) as JsonValue, (other ?? {}) as JsonValue);
}
