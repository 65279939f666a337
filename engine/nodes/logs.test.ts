/** What `kubectl logs` asks of a kubelet, one option by one and together. */
import { describe, expect, it } from 'vitest';
import type { LogOptions } from '../contracts/connect.ts';
import { nodes } from '../client/resources.ts';
import { Rig } from './testing/rig.ts';

/** Writes a line a second from 1 on, and fails after the fifth. */
async function aWriter(text = 'line $i'): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1 });
  const command = ['sh', '-c', `for i in $(seq 5); do echo ${text}; sleep 1; done; exit 3`];
  rig.addPod('p', { containers: [{ name: 'c', image: 'busybox', command }] });
  await rig.advance(5_000);
  return rig;
}

describe('logs', () => {
  it('are limited by lines, by age and by bytes, with their times where asked', async () => {
    const rig = await aWriter();
    const read = (options: LogOptions): string => rig.nodes.readLogs('default', 'p', options);
    const all = read({});
    const lines = all.split('\n').slice(0, -1);
    expect(lines).toEqual(lines.map((_line, i) => `line ${i + 1}`));
    expect(lines.length).toBeGreaterThan(2);
    expect(read({ tailLines: 2 })).toBe(`${lines.slice(-2).join('\n')}\n`);
    expect(read({ tailLines: 0 })).toBe('');
    expect(read({ tailLines: 100 })).toBe(all);
    const young = read({ sinceSeconds: 2 });
    expect([all.endsWith(young), young.length < all.length, young.length > 0]).toEqual([true, true, true]);
    expect(read({ limitBytes: 9 })).toBe('line 1\nli');
    expect(read({ tailLines: 1, timestamps: true })).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z line \d\n$/);
    expect(read({ tailLines: 2, limitBytes: 8 })).toBe(`${lines.at(-2)}\nl`);
  });

  it('count bytes as they are on the wire, and cut no character in two', async () => {
    const rig = await aWriter('äöü');
    expect(rig.nodes.readLogs('default', 'p', { limitBytes: 4 })).toBe('äö');
    expect(rig.nodes.readLogs('default', 'p', { limitBytes: 5 })).toBe('äö');
  });

  it('of the container before are there once it has started again', async () => {
    const rig = await aWriter();
    expect(() => rig.nodes.readLogs('default', 'p', { previous: true })).toThrow('previous terminated container "c" in pod "p" not found');
    await rig.advance(4_500);
    expect(rig.pod('p')?.status?.containerStatuses?.[0]?.restartCount).toBe(1);
    expect(rig.nodes.readLogs('default', 'p', { previous: true, tailLines: 1 })).toBe('line 5\n');
    expect(rig.nodes.readLogs('default', 'p', {})).not.toContain('line 5');
  });

  // As kubectl 1.13 and 1.36 print it of a node that somebody wrote by hand.
  it('of a pod on a node behind which nobody stands tell what came of looking for its kubelet', async () => {
    const rig = new Rig();
    await rig.startPool({ count: 1 });
    const podOn = async (node: string): Promise<() => string> => {
      rig.addPod(`on-${node}`, { containers: [{ name: 'c', image: 'busybox' }] }, node);
      await rig.advance(2_000);
      return () => rig.nodes.readLogs('default', `on-${node}`, {});
    };
    rig.add(nodes, { metadata: { name: 'bare' } });
    rig.add(nodes, { metadata: { name: 'far' }, status: { addresses: [{ type: 'InternalIP', address: '192.0.2.7' }] } });
    expect(await podOn('none')).toThrow('nodes "none" not found');
    expect(await podOn('bare')).toThrow('no preferred addresses found; known addresses: []');
    expect(await podOn('far')).toThrow('dial tcp 192.0.2.7:10250: i/o timeout');
  });
});
