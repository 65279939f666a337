/** The command line's entry: `wavetank up | list | status | stop | clock | run | replay`. Exit code 2 for what a user can mend. */
import { ListenError } from '../serving/listener.ts';
import { SessionError } from '../persistence/session-file.ts';
import { SettingsError } from '../cluster/settings.ts';
import { createProgram } from './commands/program.ts';
import { CommandError } from './command-error.ts';
import { SessionLostError } from './session-recorder.ts';

const mendable = [CommandError, ListenError, SessionError, SettingsError] as const;

export async function main(argv: readonly string[]): Promise<number> {
  try {
    return await createProgram(argv);
  } catch (error) {
    if (mendable.some((type) => error instanceof type)) {
      process.stderr.write(`wavetank: ${(error as Error).message}\n`);
      return error instanceof CommandError ? error.exitCode : 2;
    }
    if (error instanceof SessionLostError) {
      process.stderr.write(`wavetank: ${error.message}\n`);
      return error.exitCode;
    }
    process.stderr.write(`wavetank: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return 70;
  }
}
