import { expect, it } from 'vitest';
import type { Secret } from '../../../api/core/v1/types.gen.ts';
import { validateSecret } from './data-validation.ts';

const faultsOf = (type: string, data: Secret['data']): readonly string[] =>
  validateSecret({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, type, data } as Secret).map(
    ({ field, type: reason }) => `${field} ${reason}`,
  );

it.each([
  ['kubernetes.io/ssh-auth', {}, ['data[ssh-privatekey] FieldValueRequired']],
  ['kubernetes.io/ssh-auth', { 'ssh-privatekey': '' }, ['data[ssh-privatekey] FieldValueRequired']],
  ['kubernetes.io/ssh-auth', { 'ssh-privatekey': 'YQ==' }, []],
  ['kubernetes.io/tls', { 'tls.crt': '' }, ['data[tls.key] FieldValueRequired']],
  ['kubernetes.io/tls', { 'tls.crt': '', 'tls.key': '' }, []],
  ['kubernetes.io/basic-auth', { password: '' }, []],
] as const)('a Secret of type %s with %j', (type, data, faults) => expect(faultsOf(type, data)).toEqual(faults));
