/** Words that JavaScript's own objects know, owners in a ring and sixty deep, and counts of 32 bits: each accepted by the API server. */
import { type Api, pass } from '../tasks/world.ts';

const word = 'constructor';
const deepest = 60;
const countMax = 2 ** 31 - 1;
const merge = { 'content-type': 'application/merge-patch+json' };

export async function playOddWords(api: Api): Promise<void> {
  const { call } = api;
  await call('POST', '/api/v1/namespaces', { metadata: { name: word } });
  await pass(api, '5s');
  await playNodes(api);
  await playObjects(api);
  await playOwners(api);
  await playCounts(api);
  await pass(api, '30s');
}

/** A node that nobody runs, of a zone, an architecture and taints of such names. */
async function playNodes({ call }: Api): Promise<void> {
  const labels = { [word]: word, 'topology.kubernetes.io/zone': word, 'kubernetes.io/arch': word, toString: 'valueOf' };
  await call('POST', '/api/v1/nodes', {
    metadata: { name: word, labels },
    spec: { taints: [{ key: word, value: word, effect: 'NoExecute' }] },
  });
  const status = {
    conditions: [
      { type: word, status: 'True', reason: word, message: word },
      { type: 'Ready', status: word, reason: 'toString' },
    ],
    capacity: { cpu: '1Ei', memory: '0', pods: String(countMax), [`example.com/${word}`]: '1' },
  };
  await call('PATCH', `/api/v1/nodes/${word}/status`, { status }, merge);
}

async function playObjects({ call }: Api): Promise<void> {
  const space = `/api/v1/namespaces/${word}`;
  const container = { name: word, image: word, ports: [{ name: 'valueof', containerPort: 80 }] };
  await call('POST', `${space}/pods`, {
    metadata: { name: word, labels: { [word]: word, hasOwnProperty: 'toString' }, annotations: { [word]: '__proto__' } },
    spec: { containers: [container], nodeSelector: { [word]: word }, tolerations: [{ operator: 'Exists' }] },
  });
  await call(
    'PATCH',
    `${space}/pods/${word}/status`,
    {
      status: {
        phase: 'Running',
        reason: word,
        message: '__proto__',
        conditions: [{ type: word, status: 'False', reason: word }],
        containerStatuses: [
          { name: word, image: word, imageID: '', ready: false, restartCount: countMax, state: { waiting: { reason: word, message: word } } },
          { name: 'other', image: word, imageID: '', ready: true, restartCount: 0, state: {} },
        ],
      },
    },
    merge,
  );
  await call('POST', `${space}/configmaps`, { metadata: { name: word }, data: { [word]: word, ['__proto__']: '__proto__', toString: 'valueOf' } });
  await call('POST', `/apis/batch/v1/namespaces/${word}/cronjobs`, {
    metadata: { name: word },
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } } },
  });
  await call('POST', `${space}/events`, {
    metadata: { name: word },
    involvedObject: { kind: word, namespace: word, name: word, apiVersion: word },
    ...{ reason: word, message: word, type: word, source: { component: word, host: word } },
  });
}

/** Owners that own each other, one that owns itself, and a chain as deep as nobody builds it. */
async function playOwners({ call }: Api): Promise<void> {
  const maps = `/api/v1/namespaces/${word}/configmaps`;
  const make = async (name: string, owner?: { readonly name: string; readonly uid: string }): Promise<{ name: string; uid: string }> => {
    const ownerReferences = owner === undefined ? [] : [{ apiVersion: 'v1', kind: 'ConfigMap', controller: true, ...owner }];
    const { metadata } = (await call('POST', maps, { metadata: { name, ownerReferences } })) as { metadata: { uid: string } };
    return { name, uid: metadata.uid };
  };
  const own = async (name: string, owner: object): Promise<unknown> =>
    await call(
      'PATCH',
      `${maps}/${name}`,
      { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', controller: true, ...owner }] } },
      merge,
    );
  const [ring, itself] = [await make('ring-a'), await make('itself')];
  await own('ring-a', await make('ring-b', ring));
  await own('itself', itself);
  let owner = await make('deep-0');
  for (let depth = 1; depth < deepest; depth++) owner = await make(`deep-${depth}`, owner);
}

async function playCounts({ call }: Api): Promise<void> {
  await call('POST', `/api/v1/namespaces/${word}/resourcequotas`, { metadata: { name: word }, spec: { hard: { pods: '2' } } });
  const labels = { [word]: word };
  await call('POST', `/apis/apps/v1/namespaces/${word}/deployments`, {
    metadata: { name: word },
    spec: {
      paused: true,
      replicas: countMax,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: word, image: word }] } },
    },
  });
  await call(
    'PATCH',
    `/apis/apps/v1/namespaces/${word}/deployments/${word}/status`,
    { status: { replicas: countMax, readyReplicas: countMax, availableReplicas: 7 } },
    merge,
  );
}
