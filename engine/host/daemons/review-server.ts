/** The API server that a daemon asks about tokens and access. */
import { CommandError } from '../command-error.ts';
import { readKubeconfig, type RemoteServer } from '../remote/kubeconfig-reader.ts';
import { badUsage, type FlagValues } from './flag-set.ts';

/** Undefined where no kubeconfig is said. Throws a CommandError for one that cannot be read. */
export function reviewServer(flags: FlagValues, what: 'authentication' | 'authorization'): RemoteServer | undefined {
  const file = flags.text(`${what}-kubeconfig`);
  if (file === '') return undefined;
  try {
    return readKubeconfig(file);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw badUsage(`failed to get delegated ${what} kubeconfig: ${error.message}`);
  }
}
