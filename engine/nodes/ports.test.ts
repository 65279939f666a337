import { describe, expect, it } from 'vitest';
import type { PortSink } from '../contracts/connect.ts';
import { Rig } from './testing/rig.ts';

async function makeRig(): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1, zones: ['a'], region: 'r' });
  return rig;
}

describe('what comes to a port', () => {
  const nginx = { containers: [{ name: 'c', image: 'nginx' }] };
  const sinkTo = (texts: string[]): PortSink => ({
    onData: (data) => void texts.push(new TextDecoder().decode(data)),
    onError: () => undefined,
    onEnd: () => void texts.push('end'),
  });
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  it('is counted in bytes and not kept, however much it is and wherever it is cut', async () => {
    const rig = await makeRig();
    rig.addPod('web', nginx);
    await rig.advance(20_000);
    const told: string[] = [];
    const connection = rig.nodes.openPort('default', 'web', 80, sinkTo(told));
    const body = bytes('ü'.repeat(4_000_000));
    const head = bytes(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`);
    for (const byte of head) connection.write(Uint8Array.of(byte));
    for (let at = 0; at < body.length; at += 65_535) connection.write(body.subarray(at, at + 65_535));
    expect([told.length, told[0]?.slice(0, 15), told[1]]).toEqual([2, 'HTTP/1.1 200 OK', 'end']);
    expect(connection.progress.head.length).toBeLessThan(200);
    expect(connection.progress.bodyBytes).toBe(body.length);
  });

  it('is refused when its head does not end', async () => {
    const rig = await makeRig();
    rig.addPod('web', nginx);
    await rig.advance(20_000);
    const told: string[] = [];
    const connection = rig.nodes.openPort('default', 'web', 80, sinkTo(told));
    for (let i = 0; i < 70; i++) connection.write(bytes('x'.repeat(1000)));
    expect(told.map((text) => text.slice(0, 12))).toEqual(['HTTP/1.1 431', 'end']);
  });
});
