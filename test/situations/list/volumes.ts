/** Situations of the volume controllers: binding, reclaiming, expansion, attaching; the test plays provisioners and drivers. */
import { node, object, pod } from '../objects.ts';
import { situation, situationsOf, type Step } from '../situation.ts';
import { create, nodeLives, patch, remove, rest, runPods, until, untilGone, wait } from '../steps.ts';

const gi = (size: number): object => ({ storage: `${size}Gi` });
const claim = (name: string, spec: object = {}): Step =>
  create(
    object('v1', 'PersistentVolumeClaim', name, {
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: '<ns>-none', resources: { requests: gi(1) }, ...spec },
    }),
  );
const volume = (name: string, spec: object = {}): Step =>
  create(
    object('v1', 'PersistentVolume', `<ns>-${name}`, {
      spec: {
        capacity: gi(2),
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: '<ns>-none',
        csi: { driver: 'example.com', volumeHandle: 'h' },
        ...spec,
      },
    }),
  );
const storageClass = (spec: object = {}): Step =>
  create(object('storage.k8s.io/v1', 'StorageClass', '<ns>-none', { provisioner: 'example.com/p', ...spec }));
const podOfEphemeral = create(
  pod('p', {
    volumes: [
      {
        name: 'd',
        ephemeral: {
          volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], storageClassName: '<ns>-none', resources: { requests: gi(1) } } },
        },
      },
    ],
  }),
);
const bound = until('persistentvolumeclaims/c', { status: { phase: 'Bound' } });
const events = {
  uncounted: [
    'FailedBinding',
    'ProvisioningFailed',
    'ExternalProvisioning',
    'WaitForFirstConsumer',
    'WaitForPodScheduled',
    'ExternalExpanding',
    'VolumeFailedDelete',
    'FailedAttachVolume',
    'ProvisioningDeferred',
  ],
};

export const volumesSituations = situationsOf('volumes', [
  situation('a volume is available', [volume('v'), until('persistentvolumes/<ns>-v', { status: { phase: 'Available' } })], events),
  situation('a claim is bound', [volume('v'), claim('c'), bound, rest()], events),
  situation('a claim waits for a volume', [claim('c'), rest()], events),
  situation('a claim is too large', [volume('v'), claim('c', { resources: { requests: gi(5) } }), rest()], events),
  situation('a claim wants another mode', [volume('v'), claim('c', { accessModes: ['ReadWriteMany'] }), rest()], events),
  situation(
    'the smallest volume is taken',
    [volume('big', { capacity: gi(9) }), volume('small', { capacity: gi(3) }), rest(), claim('c'), bound, rest()],
    events,
  ),
  situation('a claim names its volume', [volume('v'), volume('w'), rest(), claim('c', { volumeName: '<ns>-w' }), bound, rest()], events),
  situation('a volume names its claim', [volume('v', { claimRef: { namespace: '<ns>', name: 'c' } }), rest(), claim('c'), bound, rest()], events),
  situation('a claim chooses by labels', [volume('v'), rest(), claim('c', { selector: { matchLabels: { a: 'b' } } }), rest()], events),
  situation(
    'a volume is released',
    [
      volume('v'),
      claim('c'),
      bound,
      rest(),
      remove('persistentvolumeclaims/c'),
      until('persistentvolumes/<ns>-v', { status: { phase: 'Released' } }),
    ],
    events,
  ),
  situation(
    'a volume is not deleted without a plugin',
    [
      volume('v', { persistentVolumeReclaimPolicy: 'Delete' }),
      claim('c'),
      bound,
      rest(),
      remove('persistentvolumeclaims/c'),
      untilGone('persistentvolumeclaims/c'),
      rest(),
    ],
    events,
  ),
  situation(
    'a volume is lost',
    [
      volume('v'),
      claim('c'),
      bound,
      rest(),
      remove('persistentvolumes/<ns>-v'),
      patch('persistentvolumes/<ns>-v', { metadata: { finalizers: null } }),
      untilGone('persistentvolumes/<ns>-v'),
      until('persistentvolumeclaims/c', { status: { phase: 'Lost' } }),
    ],
    events,
  ),
  situation('a provisioner is asked', [storageClass(), claim('c'), rest()], events),
  situation(
    'a provisioner answers',
    [
      storageClass(),
      claim('c'),
      rest(),
      {
        text: 'provision',
        run: async (stage) =>
          void (await stage.ask(
            'POST',
            'persistentvolumes',
            object('v1', 'PersistentVolume', '<ns>-made', {
              meta: { annotations: { 'pv.kubernetes.io/provisioned-by': 'example.com/p' } },
              spec: {
                capacity: gi(1),
                accessModes: ['ReadWriteOnce'],
                persistentVolumeReclaimPolicy: 'Delete',
                storageClassName: '<ns>-none',
                csi: { driver: 'example.com', volumeHandle: 'h' },
                claimRef: {
                  apiVersion: 'v1',
                  kind: 'PersistentVolumeClaim',
                  namespace: '<ns>',
                  name: 'c',
                  uid: stage.get('persistentvolumeclaims/c')?.metadata['uid'],
                },
              },
            }),
          )),
      },
      bound,
      rest(),
    ],
    events,
  ),
  situation('binding waits for a pod', [storageClass({ volumeBindingMode: 'WaitForFirstConsumer' }), claim('c'), rest()], events),
  situation(
    'binding waits, and the scheduler has chosen',
    [
      storageClass({ volumeBindingMode: 'WaitForFirstConsumer' }),
      claim('c'),
      rest(),
      patch('persistentvolumeclaims/c', { metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'played' } } }),
      rest(),
    ],
    events,
  ),
  situation(
    'a claim grows',
    [
      storageClass({ allowVolumeExpansion: true }),
      volume('v', { capacity: gi(1) }),
      claim('c'),
      bound,
      rest(),
      patch('persistentvolumeclaims/c', { spec: { resources: { requests: gi(3) } } }),
      rest(),
    ],
    events,
  ),
  situation(
    'a claim may not grow',
    [
      storageClass(),
      volume('v', { capacity: gi(1) }),
      claim('c'),
      bound,
      patch('persistentvolumeclaims/c', { spec: { resources: { requests: gi(3) } } }),
      rest(),
    ],
    events,
  ),
  situation(
    'a volume is attached',
    [
      create(object('storage.k8s.io/v1', 'CSIDriver', '<ns>.example.com', { spec: { attachRequired: true } })),
      create(node('<ns>-a')),
      nodeLives('<ns>-a'),
      create(object('storage.k8s.io/v1', 'CSINode', '<ns>-a', { spec: { drivers: [{ name: '<ns>.example.com', nodeID: 'a', topologyKeys: [] }] } })),
      volume('v', { csi: { driver: '<ns>.example.com', volumeHandle: 'h' } }),
      claim('c'),
      bound,
      create(pod('p', { nodeName: '<ns>-a', volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'c' } }] })),
      wait(5),
      rest(),
    ],
    events,
  ),
  situation('an ephemeral claim is made', [podOfEphemeral, until('persistentvolumeclaims/p-d', {}), rest()], events),
  situation(
    'an ephemeral claim goes with its pod',
    [podOfEphemeral, until('persistentvolumeclaims/p-d', {}), runPods(), rest(), remove('pods/p'), untilGone('persistentvolumeclaims/p-d'), rest()],
    events,
  ),
  situation('an ephemeral claim is in the way of another', [claim('p-d'), podOfEphemeral, rest()], {
    uncounted: [...events.uncounted, 'FailedScheduling', 'FailedCreate'],
  }),
]);
