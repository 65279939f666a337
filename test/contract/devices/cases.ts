/** Claims, templates and slices as v1beta1 and v1beta2 write them; what a server stores shows in v1. */
const claim = (...requests: readonly object[]): object => ({ spec: { devices: { requests } } });
const sub = { name: 's', deviceClassName: 'c' };
const slice = (...devices: readonly object[]): object => ({
  spec: { driver: 'd', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, nodeName: 'n', devices },
});

export interface DeviceCase {
  readonly name: string;
  readonly version: 'v1beta1' | 'v1beta2';
  readonly path: 'resourceclaims' | 'resourceclaimtemplates' | 'resourceslices';
  readonly body: object;
}

const first = (name: string, path: DeviceCase['path'], body: object): DeviceCase => ({ name, version: 'v1beta1', path, body });

export const deviceCases: readonly DeviceCase[] = [
  first('one', 'resourceclaims', claim({ name: 'r', deviceClassName: 'c' })),
  first('all', 'resourceclaims', claim({ name: 'r', deviceClassName: 'c', allocationMode: 'All', adminAccess: false })),
  first(
    'chosen',
    'resourceclaims',
    claim({
      name: 'r',
      deviceClassName: 'c',
      count: 2,
      selectors: [{ cel: { expression: 'true' } }],
      tolerations: [{ key: 'k', operator: 'Exists' }],
    }),
  ),
  first('either', 'resourceclaims', claim({ name: 'r', firstAvailable: [sub, { ...sub, name: 't', allocationMode: 'All' }] })),
  first('both', 'resourceclaims', claim({ name: 'r', deviceClassName: 'c', firstAvailable: [sub] })),
  first('neither', 'resourceclaims', claim({ name: 'r' })),
  first('no-class', 'resourceclaims', claim({ name: 'r', count: 2 })),
  first('template', 'resourceclaimtemplates', { spec: claim({ name: 'r', deviceClassName: 'c' }) }),
  first('slice', 'resourceslices', slice({ name: 'a', basic: { attributes: { model: { string: 'x' } }, capacity: { memory: { value: '1Gi' } } } })),
  first('bare', 'resourceslices', slice({ name: 'a' }, { name: 'b', basic: {} })),
  { name: 'second', version: 'v1beta2', path: 'resourceclaims', body: claim({ name: 'r', exactly: { deviceClassName: 'c' } }) },
];

/** What a server made of one: as it answered, and as v1 shows it; or why not. */
export interface DeviceFact {
  readonly code: number;
  readonly answered?: unknown;
  readonly stored?: unknown;
  readonly message?: string;
}

export type Ask = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ readonly code: number; readonly body: { readonly spec?: unknown; readonly message?: string } }>;

export async function playDevices(ask: Ask, { name, version, path, body }: DeviceCase): Promise<DeviceFact> {
  const at = (of: string): string => `/apis/resource.k8s.io/${of}/${path === 'resourceslices' ? '' : 'namespaces/default/'}${path}`;
  const answer = await ask('POST', at(version), { ...body, metadata: { name } });
  if (answer.code >= 400) return { code: answer.code, message: answer.body.message ?? '' };
  const stored = await ask('GET', `${at('v1')}/${name}`);
  return { code: answer.code, answered: answer.body.spec, stored: stored.body.spec };
}
