/** Bad examples for the checkers of every object: revisions, causes, owners, deletion. */
import { put, remove } from '../../support/worlds.ts';
import { Promises } from '../promises.ts';
import { minuteMs, startText, controlled, meta, pod, collector, orphaning, type Case } from './example.ts';
import { finalizersAreHonoured, gracePeriodsAreKept, namespacesGoLast } from './deletion.ts';
import { generationsCount } from './generations.ts';
import { collectionIsRight, nothingIsLeftOver, oneController } from './owners.ts';
import { fieldsAreManaged, revisionsRise, writesHaveCauses } from './store-checkers.ts';

export const examplesOfObjects: readonly Case[] = [
  {
    name: 'a version that is not the revision',
    checker: revisionsRise,
    bad: [put('pods', pod('a', { metadata: meta('a', { resourceVersion: '9' }) }))],
    good: [put('pods', pod('a'))],
  },
  { name: 'a write without a cause', checker: writesHaveCauses, bad: [put('pods', pod('a'), { causes: [] })], good: [put('pods', pod('a'))] },
  { name: 'a write caused by the future', checker: writesHaveCauses, bad: [put('pods', pod('a'), { causes: ['rev:99'] })] },
  { name: 'a pod without managers', checker: fieldsAreManaged, bad: [put('pods', pod('a'))] },
  {
    name: 'a changed spec of the same generation',
    checker: generationsCount,
    bad: [
      put('deployments', { metadata: meta('d', { generation: 1 }), spec: { replicas: 1 } }),
      put('deployments', { metadata: meta('d', { generation: 1 }), spec: { replicas: 2 } }),
    ],
    good: [
      put('deployments', { metadata: meta('d', { generation: 1 }), spec: { replicas: 1 } }),
      put('deployments', { metadata: meta('d', { generation: 2 }), spec: { replicas: 2 } }),
    ],
  },
  {
    name: 'a generation that moved for nothing',
    checker: generationsCount,
    bad: [
      put('deployments', { metadata: meta('d', { generation: 1 }), spec: {} }),
      put('deployments', { metadata: meta('d', { generation: 2 }), spec: {} }),
    ],
  },
  {
    name: 'two controllers',
    checker: oneController,
    bad: [
      put('pods', {
        metadata: meta('a', {
          ownerReferences: [
            { uid: '1', controller: true },
            { uid: '2', controller: true },
          ],
        }),
      }),
    ],
    good: [put('pods', { metadata: meta('a', { ownerReferences: [{ uid: '1', controller: true }, { uid: '2' }] }) })],
  },
  {
    name: 'another controller',
    checker: oneController,
    bad: [put('pods', { metadata: meta('a', controlled('1')) }), put('pods', { metadata: meta('a', controlled('2')) })],
  },
  {
    name: 'collected under a living owner',
    checker: () => collectionIsRight(new Promises()),
    bad: [
      put('replicasets', { metadata: meta('owner') }),
      put('pods', { metadata: meta('a', controlled('uid-owner')) }),
      remove('pods', meta('a'), { by: collector }),
    ],
    good: [put('pods', { metadata: meta('a', controlled('uid-owner')) }), remove('pods', meta('a'), { by: collector })],
  },
  {
    name: 'collected though orphaned',
    checker: () => collectionIsRight(orphaning()),
    bad: [put('pods', { metadata: meta('a', controlled('uid-owner')) }), remove('pods', meta('a'), { by: collector })],
  },
  {
    name: 'an owner that did not wait',
    checker: () => collectionIsRight(new Promises()),
    bad: [
      put('replicasets', { metadata: meta('owner', { finalizers: ['foregroundDeletion'] }) }),
      put('pods', { metadata: meta('a', controlled('uid-owner')) }),
      remove('replicasets', meta('owner')),
    ],
  },
  {
    name: 'an owner that did not let go',
    checker: () => collectionIsRight(new Promises()),
    bad: [
      put('replicasets', { metadata: meta('owner', { finalizers: ['orphan'] }) }),
      put('pods', { metadata: meta('a', controlled('uid-owner')) }),
      remove('replicasets', meta('owner')),
    ],
  },
  {
    name: 'an owner that is gone',
    checker: nothingIsLeftOver,
    bad: [put('namespaces', { metadata: { name: 'default', uid: 'n' } }), put('pods', { metadata: meta('a', controlled('uid-owner')) })],
    good: [put('namespaces', { metadata: { name: 'default', uid: 'n' } }), put('pods', { metadata: meta('a') })],
  },
  { name: 'a namespace that is gone', checker: nothingIsLeftOver, bad: [put('pods', pod('a'))] },
  {
    name: 'something that was to go',
    checker: nothingIsLeftOver,
    bad: [put('namespaces', { metadata: { name: 'default' } }), put('pods', pod('a', { metadata: meta('a', { deletionTimestamp: startText }) }))],
    restMs: 5 * minuteMs,
  },
  {
    name: 'a finalizer that was passed over',
    checker: () => finalizersAreHonoured(new Promises()),
    bad: [put('pods', { metadata: meta('a', { finalizers: ['example.com/hold'] }) }), remove('pods', meta('a'))],
    good: [put('pods', { metadata: meta('a', { finalizers: ['foregroundDeletion'] }) }), remove('pods', meta('a'))],
  },
  {
    name: 'a pod without grace',
    checker: () => gracePeriodsAreKept(new Promises()),
    bad: [put('pods', pod('a', { spec: { nodeName: 'n' } })), remove('pods', meta('a'))],
    good: [put('pods', pod('a', { spec: {} })), remove('pods', meta('a'))],
  },
  {
    name: 'a wrong grace',
    checker: () => gracePeriodsAreKept(new Promises()),
    bad: [
      put('pods', pod('a', { spec: { nodeName: 'n', terminationGracePeriodSeconds: 45 } })),
      put('pods', { metadata: meta('a', { deletionTimestamp: startText, deletionGracePeriodSeconds: 5 }), spec: { nodeName: 'n' } }),
    ],
  },
  {
    name: 'a namespace that went first',
    checker: namespacesGoLast,
    bad: [put('namespaces', { metadata: { name: 'default' } }), put('pods', pod('a')), remove('namespaces', { name: 'default' })],
    good: [put('namespaces', { metadata: { name: 'default' } }), remove('namespaces', { name: 'default' })],
  },
];
