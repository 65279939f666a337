/** A volume that is to be recycled is emptied by a pod in a cluster's own nodes, and can be had again: its shell needs folders and `find`. */
import { expect, test } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { aCluster } from '../../support/cluster.ts';

const core = '/api/v1/namespaces/default';

test('a volume that is to be recycled is available again when its claim is gone', async () => {
  const { call, advance } = await aCluster({ nodes: 1 });
  call('POST', '/api/v1/persistentvolumes', {
    metadata: { name: 'v' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Recycle',
      storageClassName: 'manual',
      hostPath: { path: '/data/v' },
    },
  });
  const claim = { accessModes: ['ReadWriteOnce'], storageClassName: 'manual', resources: { requests: { storage: '1Gi' } } };
  call('POST', `${core}/persistentvolumeclaims`, { metadata: { name: 'c' }, spec: claim });
  call('POST', `${core}/pods`, {
    metadata: { name: 'p' },
    spec: {
      restartPolicy: 'Never',
      containers: [
        {
          name: 'c',
          image: 'busybox',
          command: ['sh', '-c', 'echo kept > /data/x; echo hidden > /data/.y'],
          volumeMounts: [{ name: 'd', mountPath: '/data' }],
        },
      ],
      volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'c' } }],
    },
  });
  await advance(30_000);
  expect(call<Pod>('GET', `${core}/pods/p`).status?.phase).toBe('Succeeded');
  call('DELETE', `${core}/pods/p`);
  call('DELETE', `${core}/persistentvolumeclaims/c`);
  await advance(60_000);
  const { status, spec } = call<PersistentVolume>('GET', '/api/v1/persistentvolumes/v');
  expect([status?.phase, spec?.claimRef]).toEqual(['Available', undefined]);

  call('POST', `${core}/persistentvolumeclaims`, { metadata: { name: 'again' }, spec: claim });
  await advance(20_000);
  expect(call<PersistentVolumeClaim>('GET', `${core}/persistentvolumeclaims/again`).status?.phase).toBe('Bound');
});
