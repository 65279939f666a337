import { describe, expect, it } from 'vitest';
import type { Secret, ServiceAccount } from '../../api/core/v1/types.gen.ts';
import { newConflict, optimisticLockText } from '../../apimachinery/errors.ts';
import { decodeBase64Text } from '../../base/base64.ts';
import { namespaces, secrets, serviceAccounts } from '../../client/resources.ts';
import type { SecretTokenClaims } from '../../contracts/tokens.ts';
import type { Draft } from '../../../test/support/bench.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { serviceAccountTokenController } from './controller.ts';

const type = 'kubernetes.io/service-account-token';
const nameKey = 'kubernetes.io/service-account.name';
const uidKey = 'kubernetes.io/service-account.uid';
const sign = ({ namespace, secret, serviceAccount }: SecretTokenClaims): string =>
  `${namespace}/${secret}/${serviceAccount.name}/${serviceAccount.uid}`;

function aBench(forEveryAccount: boolean): ControllerBench {
  const bench = new ControllerBench({ options: { rootCaPem: 'pem', tokenSecrets: { sign, forEveryAccount } } });
  bench.add(namespaces, { metadata: { name: 'a' }, status: { phase: 'Active' } });
  return bench;
}

const account = (uid = 'u1'): Draft => ({ metadata: { namespace: 'a', name: 'default', uid } });
const secretOf = (name: string, annotations: { readonly [key: string]: string }, more: object = {}): Draft => ({
  metadata: { namespace: 'a', name, uid: `uid-of-${name}`, annotations },
  type,
  ...more,
});

function decoded(bench: ControllerBench, name: string): object {
  const { data = {} } = bench.get<Secret>(secrets, 'a', name) ?? { data: {} };
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, decodeBase64Text(text)]));
}

describe('serviceaccount-token-controller', () => {
  it('fills a Secret that names an account', async () => {
    const bench = aBench(false);
    bench.add(serviceAccounts, account());
    bench.add(secrets, secretOf('mine', { [nameKey]: 'default' }, { data: { extra: 'eA==' } }));
    await bench.run(serviceAccountTokenController);
    expect(bench.writeTexts()).toEqual(['update secrets a/mine']);
    expect(decoded(bench, 'mine')).toEqual({ 'ca.crt': 'pem', namespace: 'a', token: 'a/mine/default/u1', extra: 'x' });
    expect(bench.get<Secret>(secrets, 'a', 'mine')?.metadata.annotations).toEqual({ [nameKey]: 'default', [uidKey]: 'u1' });
  });

  it('keeps the token of a Secret that lacks the authority only', async () => {
    const bench = aBench(false);
    bench.add(serviceAccounts, account());
    bench.add(secrets, secretOf('mine', { [nameKey]: 'default', [uidKey]: 'u1' }, { data: { token: 'b2xk', namespace: 'YQ==', 'ca.crt': 'b2xk' } }));
    await bench.run(serviceAccountTokenController);
    expect(decoded(bench, 'mine')).toEqual({ 'ca.crt': 'pem', namespace: 'a', token: 'old' });
  });

  it.each([
    ['an account that is not there', { [nameKey]: 'nobody' }],
    ['an earlier account of the name', { [nameKey]: 'default', [uidKey]: 'u0' }],
  ])('removes a Secret that names %s', async (_what, annotations) => {
    const bench = aBench(false);
    bench.add(serviceAccounts, account());
    bench.add(secrets, secretOf('stray', annotations));
    await bench.run(serviceAccountTokenController);
    expect(bench.writeTexts()).toEqual(['delete secrets a/stray']);
  });

  it('leaves a Secret that names what is no name: as upstream, it never learns whether there is such an account', async () => {
    const bench = aBench(false);
    bench.add(secrets, secretOf('stray', { [nameKey]: 'a/b%2', [uidKey]: '/' }));
    await bench.run(serviceAccountTokenController);
    expect(bench.writeTexts()).toEqual([]);
  });

  it('leaves Secrets of other types alone', async () => {
    const bench = aBench(true);
    bench.add(secrets, { metadata: { namespace: 'a', name: 'plain', annotations: { [nameKey]: 'nobody' } }, type: 'Opaque' });
    await bench.run(serviceAccountTokenController);
    expect(bench.writeTexts()).toEqual([]);
  });

  it('removes the tokens of an account that goes', async () => {
    const bench = aBench(false);
    bench.add(serviceAccounts, account());
    bench.add(secrets, secretOf('mine', { [nameKey]: 'default' }));
    await bench.run(serviceAccountTokenController);
    bench.remove(serviceAccounts, 'a', 'default');
    await bench.settle();
    expect(bench.writeTexts()).toEqual(['update secrets a/mine', 'delete secrets a/mine']);
  });

  it('makes one for every account, and another when that is deleted', async () => {
    const bench = aBench(true);
    bench.add(serviceAccounts, account());
    await bench.run(serviceAccountTokenController);
    const named = (): readonly string[] => (bench.get<ServiceAccount>(serviceAccounts, 'a', 'default')?.secrets ?? []).map(({ name = '' }) => name);
    const [first = ''] = named();
    expect(first).toMatch(/^default-token-[a-z0-9]{5}$/);
    expect(decoded(bench, first)).toEqual({ 'ca.crt': 'pem', namespace: 'a', token: `a/${first}/default/u1` });
    bench.remove(secrets, 'a', first);
    await bench.settle();
    expect(named()).toHaveLength(1);
    expect(named()).not.toContain(first);
    expect(bench.writes.filter(({ verb, resource }) => verb === 'create' && resource === 'secrets')).toHaveLength(2);
  });

  it('makes none where pods have tokens of their own', async () => {
    const bench = aBench(false);
    bench.add(serviceAccounts, account());
    await bench.run(serviceAccountTokenController);
    expect(bench.writeTexts()).toEqual([]);
  });

  it('takes a Secret away again whose account somebody else has written', async () => {
    const bench = aBench(true);
    bench.add(serviceAccounts, account());
    let refused = 0;
    bench.refuse = ({ verb, resource }) => {
      if (verb === 'update' && resource === 'serviceaccounts' && refused++ === 0)
        throw newConflict({ group: '', resource: 'serviceaccounts' }, 'default', optimisticLockText);
    };
    await bench.run(serviceAccountTokenController);
    await bench.advance(5_000);
    const names = bench.list<Secret>(secrets).map(({ metadata }) => metadata.name);
    expect(bench.get<ServiceAccount>(serviceAccounts, 'a', 'default')?.secrets).toEqual(names.map((name) => ({ name })));
    expect(names).toHaveLength(1);
  });
});
