/** `wavetank controller-manager`: runs the controllers against an API server until Ctrl-C. */
import { randomInt } from 'node:crypto';
import { Settings } from '../../cluster/settings.ts';
import { startControllerManager } from '../remote/controller-manager.ts';
import { readKubeconfig } from '../remote/kubeconfig-reader.ts';
import { onStopRequest } from './stop-requests.ts';
import { controlPlaneOptions, type Given, text } from './options.ts';

export async function runControllerManager(given: Given): Promise<number> {
  const settings = new Settings(controlPlaneOptions(given));
  const server = readKubeconfig(text(given, 'kubeconfig') ?? '');
  const log = (line: string): void => void process.stderr.write(`${line}\n`);
  const ended = Promise.withResolvers<number>();
  onStopRequest(() => ended.resolve(0));
  const starting = startControllerManager({ server, settings, seed: randomInt(2 ** 32), log, onFailure: ended.reject });
  starting.then(({ names }) => process.stdout.write(`controllers run against ${server.server}: ${names.join(', ')}\n`), ended.reject);
  return ended.promise;
}
