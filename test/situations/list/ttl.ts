/** Situations of the controllers that clear away: time to live of Jobs, protection of volumes and claims. */
import { job, object, pod } from '../objects.ts';
import { situation, situationsOf, type Step } from '../situation.ts';
import { create, endPods, patch, remove, rest, runPods, until, untilCount, untilGone, wait } from '../steps.ts';

const work = 'jobs/work';
const ends = (phase: 'Succeeded' | 'Failed'): readonly Step[] => [untilCount('pods', 1), runPods(), endPods(phase)];
const claim = (name: string) =>
  object('v1', 'PersistentVolumeClaim', name, {
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: '', resources: { requests: { storage: '1Gi' } } },
  });
const volume = object('v1', 'PersistentVolume', '<ns>-v', {
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Retain',
    storageClassName: '<ns>-none',
    hostPath: { path: '/x' },
  },
});
const uses = (name: string, claimName: string) => pod(name, { volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] });
const events = { uncounted: ['FailedBinding'] };

const removedInUse: readonly Step[] = [create(claim('c')), rest(), create(uses('a', 'c')), runPods(), rest(), remove('persistentvolumeclaims/c')];

export const ttlSituations = situationsOf('ttl', [
  situation('a finished Job goes at once', [create(job('work', { ttlSecondsAfterFinished: 0 })), ...ends('Succeeded'), untilGone(work), rest()]),
  situation('a finished Job goes later', [
    create(job('work', { ttlSecondsAfterFinished: 3 })),
    ...ends('Succeeded'),
    until(work, { status: { succeeded: 1 } }),
    rest(),
    untilGone(work),
    rest(),
  ]),
  situation('a failed Job goes', [create(job('work', { ttlSecondsAfterFinished: 1, backoffLimit: 0 })), ...ends('Failed'), untilGone(work), rest()]),
  situation('a Job that runs stays', [create(job('work', { ttlSecondsAfterFinished: 0 })), untilCount('pods', 1), runPods(), wait(2)]),
  situation('a Job gets a time to live later', [
    create(job('work')),
    ...ends('Succeeded'),
    until(work, { status: { succeeded: 1 } }),
    rest(),
    patch(work, { spec: { ttlSecondsAfterFinished: 0 } }),
    untilGone(work),
    rest(),
  ]),
  situation('a claim is protected', [create(claim('c')), rest()], events),
  situation('a claim in use stays', [...removedInUse, wait(2)], events),
  situation('a claim goes after its pod', [...removedInUse, wait(1), remove('pods/a'), untilGone('persistentvolumeclaims/c')], events),
  situation('a claim stays while its pod is there, though it has ended', [...removedInUse, wait(1), endPods('Succeeded'), wait(2)], events),
  situation(
    'a claim of a pod that was never placed goes',
    [create(claim('c')), rest(), create(uses('a', 'c')), rest(), remove('persistentvolumeclaims/c'), untilGone('persistentvolumeclaims/c')],
    events,
  ),
  situation(
    'a claim that nobody uses goes',
    [create(claim('c')), rest(), remove('persistentvolumeclaims/c'), untilGone('persistentvolumeclaims/c')],
    events,
  ),
  situation('a volume is protected', [create(volume), rest()]),
  situation('a volume that nobody uses goes', [create(volume), rest(), remove('persistentvolumes/<ns>-v'), untilGone('persistentvolumes/<ns>-v')]),
]);
