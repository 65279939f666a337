/** `wavetank controller-manager`: runs the controllers against an API server until Ctrl-C. */
import { randomInt } from 'node:crypto';
import { startControllerManager } from '../remote/controller-manager.ts';
import { readKubeconfig } from '../remote/kubeconfig-reader.ts';
import { onStopRequest } from './stop-requests.ts';
import { controlPlaneOptions, type Given, releaseOf, text } from './options.ts';

export async function runControllerManager(given: Given): Promise<number> {
  const release = releaseOf(given);
  const server = readKubeconfig(text(given, 'kubeconfig') ?? '');
  const log = (line: string): void => void process.stderr.write(`${line}\n`);
  const ended = Promise.withResolvers<number>();
  onStopRequest(() => ended.resolve(0));
  const starting = startControllerManager({
    server,
    given: controlPlaneOptions(given),
    release,
    seed: randomInt(2 ** 32),
    log,
    onFailure: ended.reject,
  });
  starting.then(
    ({ names, release: name }) => process.stdout.write(`controllers of ${name} run against ${server.server}: ${names.join(', ')}\n`),
    ended.reject,
  );
  return ended.promise;
}
