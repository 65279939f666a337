import { expect, it } from 'vitest';
import { kubeletSpeech as speech } from '../../releases/1.13/kubelet-speech.ts';
import { said } from './speech.ts';

const spoken = { namespace: 'n$&', name: 'p', uid: 'u', container: 'c$1' };

it.each([
  ['Stopping container c$1', 'Killing container with id docker://c$1:Need to kill Pod'],
  ['FailedPostStartHook', 'Killing container with id docker://c$1:FailedPostStartHook'],
  ['Container c$1 failed liveness probe', 'Killing container with id docker://c$1:Container failed liveness probe.'],
  ['Readiness probe errored and resulted in unknown state: no', 'Readiness probe errored: no'],
  [
    'Unable to attach or mount volumes: unmounted volumes=[a b], unattached volumes=[], failed to process volumes=[]: context deadline exceeded',
    'Unable to mount volumes for pod "p_n$&(u)": timeout expired waiting for volumes to attach or mount for pod "n$&"/"p". list of unmounted volumes=[a b]. list of unattached volumes=[]',
  ],
  [
    'The node was low on resource: memory. Threshold quantity: 100Mi, available: 48Mi. Container c was using 2Gi, request is 1Gi, has larger consumption of memory. ',
    'The node was low on resource: memory. Container c was using 2Gi, which exceeds its request of 1Gi. ',
  ],
  ['Back-off pulling image "a:1": ErrImagePull: rpc error: code = NotFound', 'Back-off pulling image "a:1"'],
  ['Failed to create pod sandbox: no', 'Failed create pod sandbox: no'],
  ['Error: Stopping container c', 'Error: Stopping container c'],
])('%s', (now, then) => {
  expect(said(now, speech, spoken)).toBe(then);
  expect(said(now, undefined, spoken)).toBe(now);
});
