import { describe, expect, it } from 'vitest';
import type { Pod, PodSpec } from '../../../api/core/v1/types.gen.ts';
import { podWarnings } from './pod-warnings.ts';

const container = { name: 'c', image: 'nginx:1.27' };

function aPod(spec: Partial<PodSpec>, annotations: Pod['metadata']['annotations'] = {}): Pod {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', annotations }, spec: { containers: [container], ...spec } };
}

describe('what the maker of a pod is warned of', () => {
  it.each([
    [
      { nodeSelector: { 'node-role.kubernetes.io/master': '' } },
      'spec.nodeSelector[node-role.kubernetes.io/master]: use "node-role.kubernetes.io/control-plane" instead',
    ],
    [{ volumes: [{ name: 'v', projected: { sources: [{}] } }] }, 'volume "v" (Projected) has no sources provided'],
    [{ imagePullSecrets: [{}] }, 'spec.imagePullSecrets[0].name: invalid empty name ""'],
    [
      { containers: [{ ...container, ports: [{ containerPort: 80 }, { containerPort: 80, hostPort: 81 }] }] },
      'spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]',
    ],
    [
      { containers: [{ ...container, resources: { limits: { memory: '100m' } } }] },
      'spec.containers[0].resources.limits[memory]: fractional byte value "100m" is invalid, must be an integer',
    ],
  ] satisfies readonly (readonly [Partial<PodSpec>, string])[])('%j', (spec, text) => {
    expect(podWarnings(aPod(spec), undefined)).toEqual([text]);
    expect(podWarnings(aPod(spec), aPod({}))).toEqual([]);
  });

  it('annotations that fields have replaced', () => {
    const annotations = { 'scheduler.alpha.kubernetes.io/critical-pod': '', 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' };
    expect(podWarnings(aPod({}, annotations), undefined)).toEqual([
      'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
      'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
    ]);
  });

  it('and not more than anybody could be shown, however much there is', () => {
    const ports = Array.from({ length: 40_000 }, (_, index) => ({ containerPort: 80, name: `p${index % 100}` }));
    const items = Array.from({ length: 10_000 }, () => ({ key: 'k', path: 'a' }));
    const spec = { containers: [{ ...container, ports }], volumes: [{ name: 'v', configMap: { name: 'm', items } }] };
    expect(podWarnings(aPod(spec), undefined).length).toBeLessThanOrEqual(512);
  });
});
