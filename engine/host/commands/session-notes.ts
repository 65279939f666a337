/** What a user should know when a session goes on: bytes that were lost, and options that its recorded ones beat. */
import { differInManifestsOnly } from '../../cluster/admission-manifests.ts';
import type { ClusterConfig } from '../../cluster/config.ts';
import type { Branch } from '../branch.ts';
import type { Given } from './given.ts';

export function sessionNotes(
  given: Given,
  asked: ClusterConfig,
  { cluster: { config }, droppedBytes, sessionNotes: notes }: Branch,
): readonly string[] {
  const path = String(given['session']);
  const wanted: readonly (readonly [string, unknown, unknown, boolean])[] = [
    ['seed', asked.seed, config.seed, given['seed'] !== undefined],
    ['nodes', asked.nodes, config.nodes, given['nodes'] !== undefined],
    ['zones', asked.zones, config.zones, given['zones'] !== undefined],
    ['start-time', asked.startMs, config.startMs, given['startTime'] !== undefined],
    ...Object.entries(asked.options)
      .filter(([name, text]) => !isTakenUp(name, text, config))
      .map(([name, text]) => [name, text, config.options[name], true] as const),
  ];
  const beaten = wanted.filter(([, mine, recorded, isGiven]) => isGiven && mine !== recorded).map(([name]) => `--${name}`);
  return [
    ...(droppedBytes === 0 ? [] : [`${path} ended in lines that were not finished; ${droppedBytes} bytes were dropped`]),
    ...notes,
    ...(beaten.length === 0
      ? []
      : [
          `${path} goes on with what it recorded (seed ${config.seed}, ${config.nodes} nodes in ${config.zones} zones); ${beaten.join(', ')} ${beaten.length === 1 ? 'is' : 'are'} ignored`,
        ]),
  ];
}

/** Files that count as they are now, unless other options said then what they say. */
function isTakenUp(name: string, text: string, { options }: ClusterConfig): boolean {
  if (name === 'admission-control-config-file') return differInManifestsOnly(text, options[name] ?? '');
  return name === 'authorization-config' && (options[name] ?? '') !== '';
}
