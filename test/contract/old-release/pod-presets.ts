/** Pods that meet pod presets. Put before a real 1.13.12 by record-presets.ts, before ours by the test. */
export const presets: readonly object[] = [
  {
    metadata: { name: 'a' },
    spec: {
      selector: { matchLabels: { role: 'web' } },
      env: [
        { name: 'A', value: '1' },
        { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
      envFrom: [{ configMapRef: { name: 'more' } }],
      volumes: [
        { name: 'cache', emptyDir: {} },
        { name: 'conf', configMap: { name: 'x' } },
      ],
      volumeMounts: [{ name: 'cache', mountPath: '/cache' }],
    },
  },
  { metadata: { name: 'b' }, spec: { selector: { matchExpressions: [{ key: 'role', operator: 'Exists' }] }, env: [{ name: 'C', value: '3' }] } },
];

const pod = (labels: object, container: object, more: object = {}, annotations?: object): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', labels, ...(annotations && { annotations }) },
  spec: {
    automountServiceAccountToken: false,
    containers: [
      { name: 'c', image: 'i', ...container },
      { name: 'd', image: 'i' },
    ],
    initContainers: [{ name: 'i', image: 'i' }],
    ...more,
  },
});

export const pods: { readonly [name: string]: object } = {
  'both presets': pod({ role: 'web' }, {}),
  'one preset': pod({ role: 'db' }, { env: [{ name: 'Z', value: 'z' }] }),
  'no preset': pod({ app: 'x' }, {}),
  'the same variable': pod({ role: 'web' }, { env: [{ name: 'A', value: '1' }] }),
  'another value': pod({ role: 'web' }, { env: [{ name: 'A', value: '2' }] }),
  'another volume of the name': pod({ role: 'web' }, {}, { volumes: [{ name: 'cache', hostPath: { path: '/x' } }] }),
  'another mount at the place': pod(
    { role: 'web' },
    { volumeMounts: [{ name: 'own', mountPath: '/cache' }] },
    { volumes: [{ name: 'own', emptyDir: {} }] },
  ),
  excluded: pod({ role: 'web' }, {}, {}, { 'podpreset.admission.kubernetes.io/exclude': 'true' }),
};

export const bad: { readonly [name: string]: object } = {
  'nothing to add': { metadata: { name: 'x' }, spec: { selector: {} } },
  'bad names': {
    metadata: { name: 'x' },
    spec: { selector: { matchLabels: { 'a b': 'c' } }, volumeMounts: [{ name: 'v', mountPath: '' }] },
  },
};
