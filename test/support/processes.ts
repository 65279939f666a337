/** Pods of one container in a cluster of one machine, and clients of commands in it. */
import type { JsonObject } from '../../engine/base/json.ts';
import type { ProcessConnection, ProcessEnd, ProcessTarget } from '../../engine/contracts/connect.ts';
import { aCluster, type TestCluster } from './cluster.ts';

export const pods = '/api/v1/namespaces/default/pods';

export interface Client extends ProcessConnection {
  readonly out: () => string;
  readonly err: () => string;
  readonly bytes: () => Uint8Array;
  readonly ended: () => ProcessEnd | undefined;
  say(text: string): void;
}

export function start(made: TestCluster, command: readonly string[] | null, more: Partial<ProcessTarget> = {}): Client {
  const target = { namespace: 'default', pod: 'p', container: 'c', command, stdin: false, stdout: true, stderr: true, tty: false, ...more };
  const texts = { stdout: '', stderr: '' };
  const pieces: Uint8Array[] = [];
  let ended: ProcessEnd | undefined;
  const connection = made.door.processes.open(target, {
    onOutput: (stream, data) => {
      texts[stream] += new TextDecoder().decode(data);
      if (stream === 'stdout') pieces.push(data);
    },
    onEnd: (end) => {
      ended = end;
    },
  });
  const say = (text: string): void => connection.write(new TextEncoder().encode(text));
  return {
    ...connection,
    out: () => texts.stdout,
    err: () => texts.stderr,
    bytes: () => Uint8Array.from(pieces.flatMap((piece) => [...piece])),
    ended: () => ended,
    say,
  };
}

export async function aPod(container: JsonObject, spec: JsonObject = {}, metadata: JsonObject = {}): Promise<TestCluster> {
  const made = await aCluster({ seed: 5, nodes: 1 });
  await made.advance(40_000);
  made.call('POST', pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', ...metadata },
    spec: { containers: [{ name: 'c', image: 'busybox', ...container }], ...spec },
  });
  await made.advance(20_000);
  return made;
}

export const sleeper = { command: ['sleep', '100000'] };
