/** Which programs there are. */
import { getOwn } from '../../../base/dictionary.ts';
import { type CommandContext, toolOf } from '../shell-commands.ts';
import { readFile } from '../shell-files.ts';

/** Whether there is such a program, other than what a shell does itself. */
export function isProgram(name: string, context: CommandContext): boolean {
  return (
    toolOf(name) !== undefined ||
    getOwn(context.host.definition.tools, name) !== undefined ||
    (name.includes('/') && readFile(name, context) !== undefined)
  );
}
