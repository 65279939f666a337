/** `wavetank replay FILE`: runs a recorded session again without its clients and says whether history is the same. */
import { Cluster } from '../../cluster/cluster.ts';
import { InputGate } from '../../cluster/input-gate.ts';
import { createHeadlessHost } from '../headless-host.ts';
import { checkEngine, configOf, readSession, replaySession } from '../session.ts';
import { type Given, isJson } from './options.ts';

export async function runReplay(file: string, given: Given): Promise<number> {
  const json = isJson(given);
  const session = readSession(file);
  checkEngine(file, session.head);
  const startMs = performance.now();
  const cluster = new Cluster(configOf(session.head), createHeadlessHost());
  const gate = new InputGate(cluster, () => undefined);
  const { digest, recorded, equal, inputs } = await replaySession(cluster, gate, session);
  const result = {
    file,
    inputs,
    digest,
    recorded: recorded ?? null,
    equal: equal ?? null,
    virtualSeconds: (cluster.loop.nowMs() - cluster.config.startMs) / 1000,
    wallSeconds: (performance.now() - startMs) / 1000,
    droppedBytes: session.droppedBytes,
  };
  if (session.droppedBytes > 0) process.stderr.write(`wavetank: ${file} ends in a half-written line; ${session.droppedBytes} bytes were left out\n`);
  const verdict =
    result.equal === null
      ? 'the session was not closed cleanly: there is no digest to compare with'
      : result.equal
        ? 'the digest is equal'
        : `a recorded digest differs (last recorded: ${recorded})`;
  process.stdout.write(
    json ? `${JSON.stringify(result)}\n` : `${inputs} inputs run again in ${result.wallSeconds.toFixed(1)} s; digest ${digest}: ${verdict}\n`,
  );
  return result.equal === false ? 1 : 0;
}
