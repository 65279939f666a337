import { expect, it } from 'vitest';
import type { Service } from '../../api/core/v1/types.gen.ts';
import { addressOf } from './backend.ts';

const named = (spec: Service['spec']): Service => ({ metadata: { namespace: 'n', name: 's' }, spec }) as Service;

it('a server is called by the address of its Service, or by the name outside that it has', () => {
  expect(addressOf(named({ clusterIP: '10.96.0.7' }), 443)).toBe('10.96.0.7:443');
  expect(addressOf(named({ clusterIP: 'fd00::7' }), 443)).toBe('[fd00::7]:443');
  expect(addressOf(named({ type: 'ExternalName', externalName: 'localhost' }), 8443)).toBe('localhost:8443');
});
