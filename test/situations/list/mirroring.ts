/** Situations of the EndpointSliceMirroring controller. */
import { object, service } from '../objects.ts';
import { situation, situationsOf, type Step } from '../situation.ts';
import { create, look, patch, remove, rest, untilCount, untilGone } from '../steps.ts';

const own = (spec: object = {}): Step => create(service('web', { selector: null, ...spec }));
const address = (ip: string, more: object = {}): object => ({ ip, ...more });
const subset = (ips: readonly string[], more: object = {}): object => ({
  addresses: ips.map((ip) => address(ip)),
  ports: [{ name: 'http', port: 80 }],
  ...more,
});
const points = (subsets: readonly object[], meta: object = {}): Step => create(object('v1', 'Endpoints', 'web', { meta, subsets }));
const slices = (count: number): Step => untilCount('endpointslices', count);

export const mirroringSituations = situationsOf('mirroring', [
  situation('mirrors', [own(), points([subset(['10.1.2.3', '10.1.2.4'])]), slices(1)]),
  situation('mirrors endpoints that were there first', [points([subset(['10.1.2.3'])]), rest(), own(), slices(1)]),
  situation('mirrors addresses that are not ready', [own(), points([subset(['10.1.2.3'], { notReadyAddresses: [address('10.1.2.4')] })]), slices(1)]),
  situation('mirrors hosts, nodes and targets', [
    own(),
    points([
      {
        addresses: [address('10.1.2.3', { hostname: 'a', nodeName: 'played', targetRef: { kind: 'Pod', name: 'a', namespace: '<ns>' } })],
        ports: [{ port: 80 }],
      },
    ]),
    slices(1),
  ]),
  situation('mirrors several ports', [
    own(),
    points([
      subset(['10.1.2.3'], {
        ports: [
          { name: 'a', port: 80, appProtocol: 'http' },
          { name: 'b', port: 53, protocol: 'UDP' },
        ],
      }),
    ]),
    slices(1),
  ]),
  situation('mirrors several subsets', [
    own(),
    points([subset(['10.1.2.3']), subset(['10.1.2.4'], { ports: [{ name: 'http', port: 81 }] })]),
    slices(2),
  ]),
  situation('mirrors both families', [own(), points([subset(['10.1.2.3', '2001:db8::1'])]), slices(2)]),
  situation('mirrors no ports', [own(), points([{ addresses: [address('10.1.2.3')] }]), slices(1)]),
  situation('carries labels and annotations', [
    own(),
    points([subset(['10.1.2.3'])], {
      labels: { a: 'b' },
      annotations: { c: 'd', 'endpoints.kubernetes.io/last-change-trigger-time': '2026-01-01T00:00:00Z' },
    }),
    slices(1),
  ]),
  situation('follows changes', [
    own(),
    points([subset(['10.1.2.3'])]),
    slices(1),
    rest(),
    patch('endpoints/web', { subsets: [subset(['10.1.2.9', '10.1.2.3'])] }),
    rest(),
  ]),
  situation('follows labels', [
    own(),
    points([subset(['10.1.2.3'])]),
    slices(1),
    rest(),
    patch('endpoints/web', { metadata: { labels: { a: 'b' } } }),
    rest(),
  ]),
  situation('is told to skip', [own(), points([subset(['10.1.2.3'])], { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } }), rest()]),
  situation('is told to skip later', [
    own(),
    points([subset(['10.1.2.3'])]),
    slices(1),
    patch('endpoints/web', { metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } } }),
    slices(0),
    rest(),
  ]),
  situation('the service gets a selector', [
    own(),
    points([subset(['10.1.2.3'])]),
    slices(1),
    rest(),
    patch('services/web', { spec: { selector: { app: 'none' } } }),
    rest(),
  ]),
  situation('there is no service', [points([subset(['10.1.2.3'])]), rest()]),
  situation('the service goes', [
    own(),
    points([subset(['10.1.2.3'])]),
    slices(1),
    remove('services/web'),
    untilGone('services/web'),
    slices(0),
    rest(),
  ]),
  situation('the endpoints go', [
    own(),
    points([subset(['10.1.2.3'])]),
    slices(1),
    remove('endpoints/web'),
    untilGone('endpoints/web'),
    slices(0),
    rest(),
  ]),
  situation('a leader election record is not mirrored', [
    own(),
    points([subset(['10.1.2.3'])], { annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } }),
    rest(),
  ]),
  situation('more addresses than a slice has', [own(), points([subset(Array.from({ length: 120 }, (_, i) => `10.1.3.${i + 1}`))]), slices(1)]),
  situation(
    'more than a thousand addresses',
    [own(), points([subset(Array.from({ length: 1005 }, (_, i) => `10.2.${Math.floor(i / 250)}.${(i % 250) + 1}`))]), rest()],
    { uncounted: ['TooManyAddressesToMirror'] },
  ),
  situation('duplicate addresses', [own(), points([subset(['10.1.2.3']), subset(['10.1.2.3'], { ports: [{ name: 'b', port: 81 }] })]), rest()]),
  situation('becomes empty', [own(), points([subset(['10.1.2.3'])]), slices(1), look('full'), patch('endpoints/web', { subsets: [] }), rest()]),
  situation('is headless', [own({ clusterIP: 'None' }), points([subset(['10.1.2.3'])]), slices(1)]),
]);
