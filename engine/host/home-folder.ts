/** The folder where Wavetank keeps things on this machine: `WAVETANK_HOME`, else the platform's place for a user's state. */
import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { join } from 'node:path';
import { CommandError } from './command-error.ts';
import { codeOf } from './files.ts';

export function homeFolder(): string {
  const own = process.env['WAVETANK_HOME'];
  if (own !== undefined && own !== '') return own;
  if (platform() === 'win32') return join(process.env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'wavetank');
  if (platform() === 'darwin') return join(homedir(), 'Library', 'Application Support', 'wavetank');
  return join(process.env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state'), 'wavetank');
}

/** Makes a folder of the home, or takes the one that is there if it is this user's alone. */
export function makeFolder(folder: string): void {
  const use = 'set WAVETANK_HOME to a folder of your own';
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const user = process.getuid?.();
    if (user === undefined) return;
    // What lies at a link's end, or in another's folder, could be changed under our hands: keys would be read and given away.
    if (lstatSync(folder).uid !== user) throw new CommandError(`${folder} is a link or a folder of another user; ${use}`);
    const { uid, mode } = statSync(folder);
    if (uid !== user) throw new CommandError(`${folder} leads to a folder of another user; ${use}`);
    if ((mode & 0o077) !== 0) chmodSync(folder, 0o700);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`cannot make the folder ${folder} (${codeOf(error)}); set WAVETANK_HOME to one that can be written`);
  }
}
