/** Archives as `kubectl cp` sends and takes them: files with their text, in blocks of 512 bytes (POSIX ustar). */
import { bytesOfText, textOfBytes } from '../../base/byte-text.ts';

const block = 512;

/** Paths with the text of files, in order. */
export type Archive = readonly (readonly [path: string, text: string])[];

export function writeTar(files: Archive): string {
  const parts = files.flatMap(([path, text]) => {
    const size = bytesOfText(text).length;
    return [header(path, size), text, '\0'.repeat((block - (size % block)) % block)];
  });
  return `${parts.join('')}${'\0'.repeat(2 * block)}`;
}

/** Undefined where the text is no archive. */
export function readTar(text: string): Archive | undefined {
  const bytes = bytesOfText(text);
  const files: (readonly [string, string])[] = [];
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0; ) {
    const size = Number.parseInt(field(bytes, at + 124, 12), 8);
    if (!Number.isInteger(size) || size < 0 || at + block + size > bytes.length) return undefined;
    const prefix = field(bytes, at + 345, 155);
    const name = field(bytes, at, 100);
    const kind = field(bytes, at + 156, 1);
    if (kind === '' || kind === '0')
      files.push([prefix === '' ? name : `${prefix}/${name}`, textOfBytes(bytes.subarray(at + block, at + block + size))]);
    at += block + Math.ceil(size / block) * block;
  }
  return files;
}

function header(path: string, size: number): string {
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;
  const name = path.slice(-100).padEnd(100, '\0');
  const before = `${name}${octal(0o644, 8)}${octal(0, 8)}${octal(0, 8)}${octal(size, 12)}${octal(0, 12)}`;
  const after = `0${'\0'.repeat(100)}ustar\0${'00'}${'root'.padEnd(32, '\0')}${'root'.padEnd(32, '\0')}${octal(0, 8)}${octal(0, 8)}`.padEnd(
    block - 156,
    '\0',
  );
  let sum = 8 * 32;
  for (const byte of bytesOfText(before + after)) sum += byte;
  return `${before}${sum.toString(8).padStart(6, '0')}\0 ${after}`;
}

function field(bytes: Uint8Array, at: number, length: number): string {
  const part = bytes.subarray(at, at + length);
  const end = part.indexOf(0);
  return textOfBytes(end < 0 ? part : part.subarray(0, end)).trim();
}
