/** The bootstrap policy of 1.36 with gates on, and off, as a real 1.36.3 writes it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { gatesOf, serverOptions, type State } from './cases.ts';

interface Role {
  readonly rules: readonly {
    readonly resources?: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const start = async (state: State): Promise<TestCluster> => {
  const made = await aCluster({ seed: 1, nodes: 0, options: { ...serverOptions, 'feature-gates': gatesOf(state) } });
  await made.advance(1000);
  return made;
};

/** `verbs resources names` of each rule. */
function rulesOf(made: TestCluster, name: string): readonly string[] {
  const { rules } = made.call<Role>('GET', `${roles}/${name}`);
  return rules.map(({ verbs, resources = [], resourceNames = [] }) =>
    [verbs, resources, resourceNames]
      .map((list) => [...list].sort().join())
      .join(' ')
      .trim(),
  );
}

describe('the bootstrap policy with gates on', () => {
  let made: TestCluster;

  beforeAll(async () => {
    made = await start('on');
  });

  it('lets service accounts read the bundles that they believe', () => {
    expect(rulesOf(made, 'system:cluster-trust-bundle-discovery')).toEqual(['get,list,watch clustertrustbundles']);
    const { subjects } = made.call<{ readonly subjects: unknown }>(
      'GET',
      '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/system:cluster-trust-bundle-discovery',
    );
    expect(subjects).toEqual([{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:serviceaccounts' }]);
  });

  it('lets kubelets read bundles and ask for certificates of pods', () => {
    expect(rulesOf(made, 'system:node')).toEqual(
      expect.arrayContaining(['get,list,watch clustertrustbundles', 'create,get,list,watch podcertificaterequests']),
    );
  });

  it('lets the publisher of bundles attest for its own signer alone', () => {
    expect(rulesOf(made, 'system:controller:kube-apiserver-serving-clustertrustbundle-publisher')).toEqual([
      'attest signers kubernetes.io/kube-apiserver-serving',
      'create,delete,list,update,watch clustertrustbundles',
      'create,patch,update events',
    ]);
  });
});

describe('the bootstrap policy with gates off', () => {
  let made: TestCluster;

  beforeAll(async () => {
    made = await start('off');
  });

  it('knows no roles that only they need', () => {
    const asked = ['system:cluster-trust-bundle-discovery', 'system:controller:device-taint-eviction-controller'];
    expect(asked.map((name) => made.ask('GET', `${roles}/${name}`).status)).toEqual([404, 404]);
  });

  it('lets nobody bind claims apart, nor the scheduler make any', () => {
    for (const name of ['system:kube-scheduler', 'system:controller:resource-claim-controller'])
      expect(rulesOf(made, name)).not.toContain('patch,update resourceclaims/binding');
    expect(rulesOf(made, 'system:kube-scheduler')).not.toContain('create,delete resourceclaims');
  });
});
