/** Options of the scripts that `npm run` begins. */
import { readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';

/**
 * What a script was given. `--help` prints what stands at the head of its file and ends with 0; what `parseArgs` refuses is said in one
 * line, and the script ends with 2. `file` is the script's `import.meta.filename`.
 */
export function scriptOptions<T extends ParseArgsConfig>(file: string, config: T): ReturnType<typeof parseArgs<T>> {
  try {
    if (process.argv.slice(2).includes('--help')) {
      console.log(headOf(readFileSync(file, 'utf8')));
      process.exit(0);
    }
    return parseArgs<T>(config);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(`${error.message.split('\n')[0] ?? ''} (--help tells what there is)`);
    process.exit(2);
  }
}

/** The text of a file's first comment. */
export function headOf(source: string): string {
  const [, comment = ''] = /^\/\*\*([^]*?)\*\//.exec(source) ?? [];
  return comment
    .split('\n')
    .map((line) => line.replace(/^ \*? ?/, '').trimEnd())
    .join('\n')
    .trim();
}
