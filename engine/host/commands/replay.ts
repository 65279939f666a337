/** `wavetank replay FILE`: runs a recorded session again without its clients and says whether history is the same. */
import { Cluster } from '../../cluster/cluster.ts';
import { CommandError } from '../command-error.ts';
import { createHeadlessHost } from '../headless-host.ts';
import { SessionFile } from '../../persistence/session-file.ts';
import { checkEngine, checkRelease, configOf } from '../session.ts';
import { replaySession } from '../session-resume.ts';
import { readSeals } from './encryption-options.ts';
import { type Given, isJson } from './given.ts';

export async function runReplay(file: string, given: Given): Promise<number> {
  const json = isJson(given);
  const session = SessionFile.openToRead(file, readSeals(given)?.current);
  const head = session.head;
  if (head === undefined) throw new CommandError(`${file} is empty; give a session file`);
  checkEngine(file, head);
  checkRelease(file, head, undefined);
  const startMs = performance.now();
  const cluster = new Cluster(configOf(head), createHeadlessHost());
  const { digest, recorded, equal, inputs, notes } = await replaySession(cluster, session);
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
  session.close();
  if (session.droppedBytes > 0)
    process.stderr.write(`wavetank: ${file} ends in lines that were not finished; ${session.droppedBytes} bytes were left out\n`);
  for (const note of notes) process.stderr.write(`wavetank: ${note}\n`);
  const verdict =
    result.equal === null
      ? 'the session has no digest to compare with'
      : result.equal
        ? 'the digest is equal'
        : `a recorded digest differs (last recorded: ${recorded})`;
  process.stdout.write(
    json ? `${JSON.stringify(result)}\n` : `${inputs} inputs run again in ${result.wallSeconds.toFixed(1)} s; digest ${digest}: ${verdict}\n`,
  );
  return result.equal === false ? 1 : 0;
}
