/** Archives in blocks of 512 bytes, as POSIX's ustar has them, with the long names of GNU's tar and those of POSIX's pax. */
import { bytesOfText, textOfBytes } from '../../base/byte-text.ts';

const block = 512;
const nameBytesMax = 100;

/** Members in order, each a name and a text. Names of folders end with a slash. */
export type Archive = readonly (readonly [name: string, text: string])[];

export function writeTar(members: Archive): string {
  const parts = members.map(([name, text]) => {
    const isLong = bytesOfText(name).length > nameBytesMax;
    return `${isLong ? member('././@LongLink', 'L', `${name}\0`) : ''}${member(name, name.endsWith('/') ? '5' : '0', text)}`;
  });
  return `${parts.join('')}${'\0'.repeat(2 * block)}`;
}

/** Undefined where the text is no archive. Of links and devices nothing is told. */
export function readTar(text: string): Archive | undefined {
  const bytes = bytesOfText(text);
  const members: (readonly [string, string])[] = [];
  let longName: string | undefined;
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0; ) {
    const size = Number.parseInt(field(bytes, at + 124, 12), 8);
    if (!Number.isInteger(size) || size < 0 || at + block + size > bytes.length) return undefined;
    const content = bytes.subarray(at + block, at + block + size);
    const kind = field(bytes, at + 156, 1);
    // Behind `ustar` GNU's tar has a space, and times where POSIX has the name's beginning.
    const prefix = bytes[at + 262] === 0 ? field(bytes, at + 345, 155) : '';
    const name = longName ?? (prefix === '' ? field(bytes, at, nameBytesMax) : `${prefix}/${field(bytes, at, nameBytesMax)}`);
    const said = kind === 'L' ? field(content, 0, size) : kind === 'x' ? paxPath(content) : undefined;
    if (kind === '' || kind === '0') members.push([name, textOfBytes(content)]);
    if (kind === '5') members.push([name.endsWith('/') ? name : `${name}/`, '']);
    longName = said;
    at += block + Math.ceil(size / block) * block;
  }
  return members;
}

/** Of records that say `LENGTH KEY=VALUE`, each with a newline. */
function paxPath(content: Uint8Array): string | undefined {
  let path: string | undefined;
  for (let at = 0; at < content.length; ) {
    const length = Number.parseInt(textOfBytes(content.subarray(at, at + 12)), 10);
    if (!(length > 0)) return path;
    const [, value] = /^\d+ path=([^]*)\n$/.exec(textOfBytes(content.subarray(at, at + length))) ?? [];
    path = value ?? path;
    at += length;
  }
  return path;
}

function member(name: string, kind: string, text: string): string {
  const size = bytesOfText(text).length;
  return `${header(name, kind, size)}${text}${'\0'.repeat((block - (size % block)) % block)}`;
}

function header(name: string, kind: string, size: number): string {
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;
  const bytes = bytesOfText(name).subarray(0, nameBytesMax);
  const named = `${textOfBytes(bytes)}${'\0'.repeat(nameBytesMax - bytes.length)}`;
  const before = `${named}${octal(kind === '5' ? 0o755 : 0o644, 8)}${octal(0, 8)}${octal(0, 8)}${octal(size, 12)}${octal(0, 12)}`;
  const users = `${'root'.padEnd(32, '\0')}${'root'.padEnd(32, '\0')}${octal(0, 8)}${octal(0, 8)}`;
  const after = `${kind}${'\0'.repeat(100)}ustar\x20\x20\0${users}`.padEnd(block - 156, '\0');
  let sum = 8 * 32;
  for (const byte of bytesOfText(before + after)) sum += byte;
  return `${before}${sum.toString(8).padStart(6, '0')}\0 ${after}`;
}

function field(bytes: Uint8Array, at: number, length: number): string {
  const part = bytes.subarray(at, at + length);
  const end = part.indexOf(0);
  return textOfBytes(end < 0 ? part : part.subarray(0, end)).trim();
}
