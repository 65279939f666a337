/** Situations of the node lifecycle, taint eviction and pod garbage collector controllers. */
import { node, pod } from '../objects.ts';
import { situation, situationsOf, type Step } from '../situation.ts';
import { create, look, nodeDies, nodeLives, patch, remove, rest, runPods, startPods, until, untilCount, untilGone, wait } from '../steps.ts';

const name = '<ns>-a';
const ref = `nodes/${name}`;
const unreachable = { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 2 };
const notReady = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 2 };
const onNode = (podName: string, spec: object = {}) => pod(podName, { nodeName: name, ...spec });
const lives: readonly Step[] = [create(node(name)), nodeLives(name)];
const taint = (...taints: readonly object[]): Step => patch(ref, { spec: { taints } });
const says = (status: string, type = 'Ready', reason = 'Played'): Step =>
  patch(`${ref}/status`, {
    status: {
      conditions: [
        { type, status, reason, message: 'played', lastHeartbeatTime: '<now>', lastTransitionTime: '<now>' },
        ...(type === 'Ready'
          ? []
          : [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'played', lastHeartbeatTime: '<now>', lastTransitionTime: '<now>' }]),
      ],
    },
  });
const silent = until(ref, { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } }, 90);
const evicting = until(ref, { spec: { taints: [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }] } });
const own = { key: 'own', effect: 'NoExecute' };
const keepsPods = { keepsPods: true };

export const nodesSituations = situationsOf('nodes', [
  situation('is ready', [...lives, rest()]),
  situation('is not ready when it comes', [
    create(node(name, { conditions: [{ type: 'Ready', status: 'False', reason: 'KubeletNotReady' }] })),
    nodeLives(name),
    rest(),
  ]),
  situation('never says anything', [
    create(node(name, { conditions: [] })),
    wait(5),
    until(ref, { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } }, 90),
    evicting,
  ]),
  situation('becomes not ready', [...lives, rest(), says('False', 'Ready', 'KubeletNotReady'), rest()]),
  situation('becomes not ready with pods', [...lives, create(onNode('a')), runPods(), rest(), says('False', 'Ready', 'KubeletNotReady'), rest()]),
  situation('becomes ready again', [
    ...lives,
    rest(),
    says('False', 'Ready', 'KubeletNotReady'),
    rest(),
    says('True', 'Ready', 'KubeletReady'),
    rest(),
  ]),
  situation('falls silent', [...lives, rest(), nodeDies(name), silent, rest()]),
  situation('falls silent with pods', [...lives, create(onNode('a')), runPods(), rest(), nodeDies(name), silent, evicting, rest()]),
  situation(
    'falls silent and pods are evicted',
    [
      ...lives,
      create(onNode('a', { tolerations: [unreachable] })),
      runPods(),
      rest(),
      nodeDies(name),
      silent,
      untilCount('pods', 1, { metadata: { deletionGracePeriodSeconds: 30 } }, 60),
      rest(),
    ],
    keepsPods,
  ),
  situation('falls silent and comes back', [
    ...lives,
    create(onNode('a')),
    runPods(),
    rest(),
    nodeDies(name),
    silent,
    rest(),
    nodeLives(name),
    says('True', 'Ready', 'KubeletReady'),
    until(ref, { status: { conditions: [{ type: 'Ready', status: 'True' }] } }),
    rest(),
  ]),
  situation('falls silent with other conditions', [
    create(
      node(name, {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'MemoryPressure', status: 'False' },
          { type: 'DiskPressure', status: 'True' },
          { type: 'PIDPressure', status: 'False' },
        ],
      }),
    ),
    nodeLives(name),
    rest(),
    nodeDies(name),
    silent,
    rest(),
  ]),
  situation('has disk pressure', [...lives, rest(), says('True', 'DiskPressure'), rest()]),
  situation('has memory pressure', [...lives, rest(), says('True', 'MemoryPressure'), rest()]),
  situation('has pid pressure', [...lives, rest(), says('True', 'PIDPressure'), rest()]),
  situation('has no network', [...lives, rest(), says('True', 'NetworkUnavailable'), rest()]),
  situation('has no pressure any more', [
    ...lives,
    rest(),
    says('True', 'DiskPressure'),
    rest(),
    look('pressure'),
    says('False', 'DiskPressure'),
    rest(),
  ]),
  situation('is cordoned', [...lives, rest(), patch(ref, { spec: { unschedulable: true } }), rest()]),
  situation('is cordoned no more', [
    ...lives,
    rest(),
    patch(ref, { spec: { unschedulable: true } }),
    rest(),
    look('cordoned'),
    patch(ref, { spec: { unschedulable: null } }),
    rest(),
  ]),
  situation('gets labels of old names', [
    create(node(name, { meta: { labels: { 'beta.kubernetes.io/os': 'linux', 'kubernetes.io/os': 'linux', 'beta.kubernetes.io/arch': 'x' } } })),
    nodeLives(name),
    rest(),
  ]),
  situation('is deleted', [...lives, wait(8), remove(ref), untilGone(ref), rest()]),
  situation(
    'is deleted and its pods go',
    [...lives, create(onNode('a')), runPods(), wait(8), remove(ref), untilGone(ref), untilCount('pods', 0, {}, 90), rest()],
    keepsPods,
  ),
  situation('a pod was never on a node', [create(onNode('a')), runPods(), untilCount('pods', 0, {}, 90), rest()], keepsPods),
  situation(
    'a taint evicts',
    [...lives, create(onNode('a')), runPods(), rest(), taint(own), untilCount('pods', 1, { metadata: { deletionGracePeriodSeconds: 30 } }), rest()],
    keepsPods,
  ),
  situation(
    'a taint is tolerated',
    [
      ...lives,
      create(onNode('a', { tolerations: [{ key: 'own', operator: 'Exists', effect: 'NoExecute' }] })),
      runPods(),
      rest(),
      taint(own),
      wait(2),
    ],
    keepsPods,
  ),
  situation(
    'a taint is tolerated for a while',
    [
      ...lives,
      create(onNode('a', { tolerations: [{ key: 'own', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 2 }] })),
      runPods(),
      rest(),
      taint(own),
      wait(1),
      untilCount('pods', 1, { metadata: { deletionGracePeriodSeconds: 30 } }),
      rest(),
    ],
    keepsPods,
  ),
  situation(
    'a taint goes before its time',
    [
      ...lives,
      create(onNode('a', { tolerations: [{ key: 'own', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 4 }] })),
      runPods(),
      rest(),
      taint(own),
      wait(1),
      taint(),
      wait(5),
    ],
    keepsPods,
  ),
  situation(
    'a taint of another value',
    [
      ...lives,
      create(onNode('a', { tolerations: [{ key: 'own', operator: 'Equal', value: 'x', effect: 'NoExecute' }] })),
      runPods(),
      rest(),
      taint({ ...own, value: 'y' }),
      untilCount('pods', 1, { metadata: { deletionGracePeriodSeconds: 30 } }),
      rest(),
    ],
    keepsPods,
  ),
  situation(
    'two taints, the shorter time counts',
    [
      ...lives,
      create(
        onNode('a', {
          tolerations: [
            { key: 'own', operator: 'Exists', tolerationSeconds: 600, effect: 'NoExecute' },
            { key: 'more', operator: 'Exists', tolerationSeconds: 1, effect: 'NoExecute' },
          ],
        }),
      ),
      runPods(),
      rest(),
      taint(own, { key: 'more', effect: 'NoExecute' }),
      untilCount('pods', 1, { metadata: { deletionGracePeriodSeconds: 30 } }),
      rest(),
    ],
    keepsPods,
  ),
  situation(
    'a taint that only keeps new pods away',
    [...lives, create(onNode('a')), runPods(), rest(), taint({ key: 'own', effect: 'NoSchedule' }), wait(2)],
    keepsPods,
  ),
  situation('a pod comes to a tainted node', [
    create(node(name, { taints: [own] })),
    nodeLives(name),
    rest(),
    create(onNode('a')),
    untilGone('pods/a'),
    rest(),
  ]),
  situation(
    'not ready evicts after a while',
    [
      ...lives,
      create(onNode('a', { tolerations: [notReady] })),
      runPods(),
      rest(),
      says('False', 'Ready', 'KubeletNotReady'),
      untilCount('pods', 1, { metadata: { deletionGracePeriodSeconds: 30 } }, 30),
      rest(),
    ],
    keepsPods,
  ),
  situation(
    'out of service',
    [
      ...lives,
      create(onNode('a', { tolerations: [{ operator: 'Exists' }] })),
      runPods(),
      rest(),
      says('False', 'Ready', 'KubeletNotReady'),
      rest(),
      remove('pods/a'),
      taint({ key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' }),
      untilGone('pods/a', 60),
      rest(),
    ],
    keepsPods,
  ),
  situation(
    'a pod that was never placed is deleted',
    [create(pod('a', { meta: { finalizers: ['example.com/hold'] } })), remove('pods/a'), wait(25)],
    keepsPods,
  ),
  situation('a pod starts and is not ready', [...lives, create(onNode('a')), startPods(), rest()]),
]);
