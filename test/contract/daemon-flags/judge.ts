/** Puts a command line before a daemon of ours, as far as it gets without speaking to anybody. */
import { CommandError } from '../../../engine/host/command-error.ts';
import { controllerManager } from '../../../engine/host/daemons/controller-manager.ts';
import { readCommandLine } from '../../../engine/host/daemons/daemon.ts';
import { schedulerDaemon } from '../../../engine/host/daemons/scheduler.ts';
import type { Fact } from './facts.ts';
import { absentKubeconfig } from './values.ts';

const kinds = [controllerManager, schedulerDaemon];

/** The same in ours. */
export function oursTo({ release, daemon, args }: Fact): Fact['said'] {
  const kind = kinds.find(({ name }) => name === daemon);
  if (kind === undefined) throw new Error(`no daemon is called ${daemon}`);
  try {
    readCommandLine(kind, [...(release === '1.36' ? [] : [`--emulate=${release}`]), `--kubeconfig=${absentKubeconfig}`, ...args]);
    return { code: 0, words: '' };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return error.message.includes(absentKubeconfig) ? undefined : { code: error.exitCode, words: error.message };
  }
}
