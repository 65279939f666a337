/** Situations of the namespace, service account and root certificate controllers. */
import { configMap, deployment, object, pod, secret } from '../objects.ts';
import { situation, situationsOf, type Step } from '../situation.ts';
import { create, edit, patch, remove, rest, runPods, until, untilCount, untilGone, wait } from '../steps.ts';

const own = 'namespaces/<ns>';
const gone: Step = untilGone(own);
const goes: Step = remove(own);

export const namespacesSituations = situationsOf('namespaces', [
  situation('goes empty', [goes, gone]),
  situation('goes with what is in it', [
    create(configMap('a'), secret('s'), deployment('web', { replicas: 2 })),
    untilCount('pods', 2),
    runPods(),
    goes,
    gone,
  ]),
  situation('waits for a finalizer', [
    create(configMap('a', { finalizers: ['example.com/hold'] })),
    goes,
    until(own, { status: { conditions: [{ type: 'NamespaceFinalizersRemaining', status: 'True' }] } }),
  ]),
  situation('goes after a finalizer', [
    create(configMap('a', { finalizers: ['example.com/hold'] })),
    goes,
    until(own, { status: { conditions: [{ type: 'NamespaceFinalizersRemaining', status: 'True' }] } }),
    edit('configmaps/a', { op: 'remove', path: '/metadata/finalizers' }),
    gone,
  ]),
  situation('waits for two finalizers of two kinds', [
    create(configMap('a', { finalizers: ['example.com/hold'] }), secret('s', { meta: { finalizers: ['example.com/hold', 'example.com/more'] } })),
    goes,
    until(own, { status: { conditions: [{ type: 'NamespaceFinalizersRemaining', status: 'True' }] } }),
  ]),
  situation('waits for a pod', [create(pod('a')), runPods(), goes, wait(8)], { keepsPods: true }),
  situation('pods go first', [create(pod('a', { meta: { finalizers: ['example.com/hold'] } }), configMap('a')), runPods(), goes, wait(8)]),
  situation('takes nothing new', [
    create(configMap('a', { finalizers: ['example.com/hold'] })),
    goes,
    wait(6),
    create(configMap('b')),
    create(pod('p')),
  ]),
  situation('is held by its own finalizer', [
    {
      text: 'add a finalizer',
      run: async (stage) =>
        void (await stage.ask('PUT', `${own}/finalize`, {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: '<ns>' },
          spec: { finalizers: ['kubernetes', 'example.com/hold'] },
        })),
    },
    goes,
    until(own, ({ spec }) => !JSON.stringify(spec).includes('"kubernetes"')),
  ]),
  situation('its metadata is held', [patch(own, { metadata: { finalizers: ['example.com/hold'] } }), goes, wait(8)]),
  situation('the default account comes back', [remove('serviceaccounts/default'), untilCount('serviceaccounts', 1), rest()]),
  situation('the root certificate comes back', [remove('configmaps/kube-root-ca.crt'), untilCount('configmaps', 1), rest()]),
  situation('the root certificate is mended', [
    patch('configmaps/kube-root-ca.crt', { data: { 'ca.crt': 'x', more: 'y' } }),
    until('configmaps/kube-root-ca.crt', (map) => (map['data'] as Record<string, string>)['ca.crt'] !== 'x'),
    rest(),
  ]),
  situation('labels of a namespace', [patch(own, { metadata: { labels: { a: 'b' } } }), rest()]),
  situation('an account of another name', [create(object('v1', 'ServiceAccount', 'robot')), rest()]),
]);
