/** Reading files that an option or a kubeconfig names; what is wrong with one is said in Go's words. */
import { readFileSync } from 'node:fs';

const words: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file or directory'],
  ['EISDIR', 'is a directory'],
  ['EACCES', 'permission denied'],
  ['ENOTDIR', 'not a directory'],
  ['ELOOP', 'too many levels of symbolic links'],
  ['ENAMETOOLONG', 'file name too long'],
]);

/** Why a call of the file system failed. */
export function whyInGo(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return words.get(code) ?? message;
}

/** Why a file could not be used; undefined where it could. */
export function fileFault(use: () => void): string | undefined {
  try {
    use();
    return undefined;
  } catch (error) {
    return whyInGo(error);
  }
}

/** The bytes of a file. Throws FileFault. */
export function readBytesInGo(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    // A folder can be opened there, and not read.
    throw new FileFault(`${(error as NodeJS.ErrnoException).code === 'EISDIR' ? 'read' : 'open'} ${path}: ${whyInGo(error)}`);
  }
}

/** The text of a file. Throws FileFault. */
export function readInGo(path: string): string {
  return readBytesInGo(path).toString('utf8');
}

/** `open /nowhere: no such file or directory`. */
export class FileFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FileFault';
  }
}
