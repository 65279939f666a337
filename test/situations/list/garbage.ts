/** Situations of the garbage collector. */
import { configMap, pod, replicaSet, secret } from '../objects.ts';
import type { Draft } from '../steps.ts';
import { situation, situationsOf, type Step } from '../situation.ts';
import { create, edit, patch, remove, rest, runPods, until, untilCount, untilGone, wait } from '../steps.ts';

interface Owned {
  readonly by: readonly string[];
  readonly blocks?: boolean;
  readonly finalizers?: readonly string[];
}

/** A ConfigMap that ConfigMaps own; their uids are filled in when it is made. */
function owned(name: string, { by, blocks = false, finalizers = [] }: Owned): Step {
  return {
    text: `create ${name} of ${by.join(', ')}`,
    run: async (stage) => {
      const ownerReferences = by.map((owner) => {
        const [resource = '', ownerName = ''] = owner.includes('/') ? owner.split('/') : ['configmaps', owner];
        const uid = stage.get(`${resource}/${ownerName}`)?.metadata['uid'] ?? '11111111-1111-1111-1111-111111111111';
        const kind = resource === 'configmaps' ? 'ConfigMap' : resource === 'secrets' ? 'Secret' : 'Node';
        return { apiVersion: 'v1', kind, name: ownerName, uid, blockOwnerDeletion: blocks };
      });
      await stage.ask('POST', 'configmaps', configMap(name, { ownerReferences, finalizers }));
    },
  };
}

const map = (name: string, meta: object = {}): Step => create(configMap(name, meta as Draft['metadata']));
const holds = ['example.com/hold'];
const there = (name: string): Step => until(`configmaps/${name}`, {});

/** `b`, and `a` that owns it. */
const ofOne = (how: Omit<Owned, 'by'> = {}): readonly Step[] => [map('a'), there('a'), owned('b', { by: ['a'], ...how }), there('b')];
/** `b`, and `a` and `o` that own it together. */
const ofTwo = (how: Omit<Owned, 'by'> = {}): readonly Step[] => [
  map('a'),
  map('o'),
  there('a'),
  there('o'),
  owned('b', { by: ['a', 'o'], ...how }),
  there('b'),
];
const removeAfterOthers = remove('configmaps/a', { propagationPolicy: 'Foreground' });

export const garbageSituations = situationsOf('garbage', [
  situation('goes with its owner', [...ofOne(), remove('configmaps/a'), untilGone('configmaps/b')]),
  situation('goes in the background', [...ofOne(), remove('configmaps/a', { propagationPolicy: 'Background' }), untilGone('configmaps/b')]),
  situation('goes before its owner', [...ofOne({ blocks: true }), rest(), removeAfterOthers, untilGone('configmaps/a')]),
  situation('blocks its owner', [...ofOne({ blocks: true, finalizers: holds }), rest(), removeAfterOthers, wait(2)]),
  situation('does not block its owner', [...ofOne({ finalizers: holds }), rest(), removeAfterOthers, untilGone('configmaps/a')]),
  situation('blocks no more', [
    ...ofOne({ blocks: true, finalizers: holds }),
    rest(),
    removeAfterOthers,
    wait(1),
    edit('configmaps/b', { op: 'remove', path: '/metadata/finalizers' }),
    untilGone('configmaps/a'),
  ]),
  situation('stays without its owner', [...ofOne(), rest(), remove('configmaps/a', { propagationPolicy: 'Orphan' }), untilGone('configmaps/a')]),
  situation('has two owners, one goes', [...ofTwo(), remove('configmaps/a'), untilGone('configmaps/a'), rest()]),
  situation('has two owners, both go', [...ofTwo(), remove('configmaps/a'), remove('configmaps/o'), untilGone('configmaps/b')]),
  situation('has two owners, one goes after it', [...ofTwo({ blocks: true }), rest(), removeAfterOthers, untilGone('configmaps/a'), rest()]),
  situation('its owner never was', [owned('b', { by: ['none'] }), untilGone('configmaps/b')]),
  situation('one of its owners never was', [map('a'), there('a'), owned('b', { by: ['a', 'none'] }), rest()]),
  situation('its owner is another of that name', [
    map('a'),
    there('a'),
    create(configMap('b', { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: '22222222-2222-2222-2222-222222222222' }] })),
    untilGone('configmaps/b'),
  ]),
  situation('its owner is of no kind', [
    create(
      configMap('b', {
        ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Nothing', name: 'a', uid: '22222222-2222-2222-2222-222222222222' }],
      }),
    ),
    wait(3),
  ]),
  situation('its owner has no namespace', [owned('b', { by: ['nodes/played'] }), rest()]),
  situation('a chain goes', [...ofOne(), owned('d', { by: ['b'] }), there('d'), remove('configmaps/a'), untilGone('configmaps/d')]),
  situation('a chain goes from its end', [
    ...ofOne({ blocks: true }),
    owned('d', { by: ['b'], blocks: true }),
    there('d'),
    rest(),
    removeAfterOthers,
    untilGone('configmaps/a'),
  ]),
  situation('a circle goes', [
    ...ofOne({ blocks: true }),
    {
      text: 'close the circle',
      run: async (stage) =>
        void (await stage.ask(
          'PATCH',
          'configmaps/a',
          {
            metadata: {
              ownerReferences: [
                { apiVersion: 'v1', kind: 'ConfigMap', name: 'b', uid: stage.get('configmaps/b')?.metadata['uid'], blockOwnerDeletion: true },
              ],
            },
          },
          'application/merge-patch+json',
        )),
    },
    rest(),
    removeAfterOthers,
    untilGone('configmaps/a'),
    untilGone('configmaps/b'),
  ]),
  situation('gets an owner that goes', [
    map('a'),
    map('b'),
    there('b'),
    rest(),
    remove('configmaps/a'),
    {
      text: 'give b an owner',
      run: async (stage) =>
        void (await stage.ask(
          'PATCH',
          'configmaps/b',
          { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: '33333333-3333-3333-3333-333333333333' }] } },
          'application/merge-patch+json',
        )),
    },
    untilGone('configmaps/b'),
  ]),
  situation('pods go before their ReplicaSet', [
    create(replicaSet('web', { replicas: 2 })),
    untilCount('pods', 2),
    runPods(),
    rest(),
    remove('replicasets/web', { propagationPolicy: 'Foreground' }),
    untilGone('replicasets/web'),
  ]),
  situation(
    'pods that are held keep their ReplicaSet',
    [
      create(replicaSet('web', { replicas: 1 })),
      untilCount('pods', 1),
      runPods(),
      rest(),
      remove('replicasets/web', { propagationPolicy: 'Foreground' }),
      wait(2),
    ],
    { keepsPods: true },
  ),
  situation('its owner is a secret', [
    create(secret('s')),
    until('secrets/s', {}),
    owned('b', { by: ['secrets/s'] }),
    there('b'),
    remove('secrets/s'),
    untilGone('configmaps/b'),
  ]),
  situation('its owner is held', [
    map('a', { finalizers: holds }),
    there('a'),
    owned('b', { by: ['a'] }),
    there('b'),
    remove('configmaps/a'),
    wait(2),
  ]),
  situation('its owner is held after it', [
    map('a', { finalizers: holds }),
    there('a'),
    owned('b', { by: ['a'], blocks: true }),
    there('b'),
    rest(),
    removeAfterOthers,
    untilGone('configmaps/b'),
    rest(),
  ]),
  situation('the finalizer of orphans is given by hand', [
    map('a', { finalizers: ['orphan'] }),
    there('a'),
    owned('b', { by: ['a'] }),
    there('b'),
    rest(),
    remove('configmaps/a', { propagationPolicy: 'Background' }),
    untilGone('configmaps/a'),
    rest(),
  ]),
  situation('a pod is owned', [
    map('a'),
    there('a'),
    {
      text: 'create a pod of a',
      run: async (stage) =>
        void (await stage.ask(
          'POST',
          'pods',
          pod('p', {
            meta: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: stage.get('configmaps/a')?.metadata['uid'] }] },
          }),
        )),
    },
    runPods(),
    rest(),
    remove('configmaps/a'),
    untilCount('pods', 0),
  ]),
  situation('loses its owner by hand', [
    ...ofOne(),
    rest(),
    patch('configmaps/b', { metadata: { ownerReferences: null } }),
    rest(),
    remove('configmaps/a'),
    untilGone('configmaps/a'),
    rest(),
  ]),
]);
