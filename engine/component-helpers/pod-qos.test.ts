/** Each rule of the classes of service, as ComputePodQOS of pkg/apis/core/v1/helper/qos has it. */
import { expect, it } from 'vitest';
import type { Pod } from '../api/core/v1/types.gen.ts';
import { podQosClass } from './pod-qos.ts';

const both = { cpu: '100m', memory: '100Mi' };
const full = { requests: both, limits: both };

it.each<readonly [string, object, string]>([
  ['nothing is asked', { containers: [{}] }, 'BestEffort'],
  ['zeros are asked', { containers: [{ resources: { requests: { cpu: '0', memory: '0' } } }] }, 'BestEffort'],
  [
    'only other resources are asked',
    { containers: [{ resources: { limits: { 'example.com/gpu': '1', 'ephemeral-storage': '1Gi' } } }] },
    'BestEffort',
  ],
  ['all is limited to what is asked', { containers: [{ resources: full }] }, 'Guaranteed'],
  ['in other words', { containers: [{ resources: { requests: { cpu: '0.1', memory: '102400Ki' }, limits: both } }] }, 'Guaranteed'],
  ['limits alone, before they are defaults of requests', { containers: [{ resources: { limits: both } }] }, 'Burstable'],
  ['requests alone', { containers: [{ resources: { requests: both } }] }, 'Burstable'],
  ['memory has no limit', { containers: [{ resources: { requests: both, limits: { cpu: '100m' } } }] }, 'Burstable'],
  ['a limit is higher', { containers: [{ resources: { requests: both, limits: { ...both, cpu: '200m' } } }] }, 'Burstable'],
  ['one container asks for nothing', { containers: [{ resources: full }, {}] }, 'Burstable'],
  [
    'another resource besides',
    { containers: [{ resources: { requests: { ...both, 'example.com/gpu': '1' }, limits: { ...both, 'example.com/gpu': '1' } } }] },
    'Guaranteed',
  ],
  ['an init container asks for nothing', { initContainers: [{}], containers: [{ resources: full }] }, 'Burstable'],
  ['an init container is limited too', { initContainers: [{ resources: full }], containers: [{ resources: full }] }, 'Guaranteed'],
  ['a sidecar asks for nothing', { initContainers: [{ restartPolicy: 'Always' }], containers: [{ resources: full }] }, 'Burstable'],
  ['only an init container asks', { initContainers: [{ resources: { requests: { cpu: '1m' } } }], containers: [{}] }, 'Burstable'],
  ['an ephemeral container has no say', { containers: [{ resources: full }], ephemeralContainers: [{}] }, 'Guaranteed'],
  [
    'the pod as a whole is limited, whatever its containers ask',
    { resources: full, containers: [{}, { resources: { requests: { cpu: '1m' } } }] },
    'Guaranteed',
  ],
  ['the pod as a whole asks', { resources: { requests: { cpu: '1' } }, containers: [{ resources: full }] }, 'Burstable'],
  [
    'the pod as a whole limits one of both',
    { resources: { requests: { cpu: '1' }, limits: { cpu: '1' } }, containers: [{ resources: full }] },
    'Burstable',
  ],
  [
    'the pod as a whole asks for huge pages alone',
    { resources: { requests: { 'hugepages-2Mi': '2Mi' } }, containers: [{ resources: full }] },
    'BestEffort',
  ],
  ['the pod as a whole says nothing, and says it', { resources: {}, containers: [{ resources: full }] }, 'BestEffort'],
])('%s', (_rule, spec, wanted) => {
  expect(podQosClass({ spec } as unknown as Pod)).toBe(wanted);
});
