import { describe, expect, it } from 'vitest';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { csrHooks } from './request-strategy.ts';

const context = { nowText: '2026-01-01T00:00:00Z' } as StrategyContext;
const request = (types: readonly string[], certificate?: string): never =>
  ({
    metadata: { name: 'r' },
    spec: { request: '', signerName: 's/s' },
    status: { ...(certificate && { certificate }), conditions: types.map((type) => ({ type, status: 'True' })) },
  }) as never;

describe('CertificateSigningRequest', () => {
  it('takes every condition by approval and leaves the certificate', () => {
    const { approval } = csrHooks.subresources ?? {};
    const next = approval?.prepareForUpdate?.(request(['Approved', 'Other'], 'forged'), request([], 'issued'), context);
    expect(next?.status).toMatchObject({ certificate: 'issued', conditions: [{ type: 'Approved' }, { type: 'Other' }] });
  });
});
