/** The command line's entry: `wavetank up | list | status | stop | clock | run | replay`. Exit code 2 for what a user can mend. */
import { UserError } from '../base/user-error.ts';
import { isSmall, runSmall } from './commands/small-commands.ts';

export async function main(argv: readonly string[]): Promise<number> {
  try {
    // Scripts steer a clock in a loop: what starts no cluster waits for no engine.
    if (isSmall(argv)) return await runSmall(argv);
    return await (await import('./commands/program.ts')).createProgram(argv);
  } catch (error) {
    if (error instanceof UserError) {
      process.stderr.write(`wavetank: ${error.message}\n`);
      return error.exitCode;
    }
    process.stderr.write(`wavetank: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return 70;
  }
}
