import { describe, expect, it } from 'vitest';
import { certificateSigningRequests } from '../lib/certificates.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { certificateSigningRequestCleanerController } from './controller.ts';

const start = '2026-01-01T00:00:00Z';
const at = (type: string) => ({ conditions: [{ type, status: 'True', lastUpdateTime: start }] });
const certificate = btoa('a certificate');

const unread = (): never => {
  throw new Error('nobody reads a request to clear it away');
};

describe('certificatesigningrequest-cleaner-controller', () => {
  it.each([
    ['pending', {}, 24],
    ['denied', at('Denied'), 1],
    ['failed', at('Failed'), 1],
    ['approved and issued', { ...at('Approved'), certificate }, 1],
    ['approved and not issued', at('Approved'), 24],
  ])('a request that is %s goes after its time, with the next hourly pass', async (_what, status, hours) => {
    const bench = new ControllerBench();
    bench.add(certificateSigningRequests, { metadata: { name: 'r', creationTimestamp: start }, spec: { request: '', signerName: 's/s' }, status });
    await bench.run(certificateSigningRequestCleanerController);
    await bench.advance(hours * 3_600_000);
    expect(bench.writes).toEqual([]);
    await bench.advance(3_600_000);
    expect(bench.writeTexts()).toEqual(['delete certificatesigningrequests r']);
  });

  it('one whose certificate has run out goes at once', async () => {
    const expiryMs = (): number => Date.parse(start) - 1;
    const bench = new ControllerBench({ options: { certificates: { expiryMs, read: unread } } });
    bench.add(certificateSigningRequests, {
      metadata: { name: 'r' },
      spec: { request: '', signerName: 's/s' },
      status: { ...at('Approved'), certificate },
    });
    await bench.run(certificateSigningRequestCleanerController);
    expect(bench.writeTexts()).toEqual(['delete certificatesigningrequests r']);
  });
});
