/** `base64`, and the digests by which files are told apart. */
import { decodeBase64, encodeBase64 } from '../../../base/base64.ts';
import { bytesOfText, textOfBytes } from '../../../base/byte-text.ts';
import type { SimpleCommand } from '../shell-commands.ts';
import { md5, sha256 } from '../../../base/digest-functions.ts';
import { defineTool } from './options.ts';
import { readAll, readPaths } from './reading.ts';

const base64 = defineTool({
  name: 'base64',
  options: 'dw:i',
  usage: '[-d] [-w COL] [FILE]',
  long: { decode: 'd', wrap: 'w' },
  run: (options, context, streams) => {
    const { text, status } = readAll('base64', options.rest.slice(0, 1), context, streams);
    if (status !== 0) return { status };
    context.budget.text(text.length * 2);
    const width = Number(options.value('w') ?? 76);
    if (!/^\d{1,9}$/.test(options.value('w') ?? '76')) {
      streams.err(`base64: invalid number '${options.value('w')}'\n`);
      return { status: 1 };
    }
    if (!options.has('d')) {
      const coded = encodeBase64(bytesOfText(text));
      const lines = width === 0 ? [coded] : (coded.match(new RegExp(`.{1,${width}}`, 'g')) ?? []);
      streams.out(width === 0 ? coded : lines.map((line) => `${line}\n`).join(''));
      return { status: 0 };
    }
    const plain = text.replaceAll(/\s/g, '');
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(plain) || plain.length % 4 !== 0) {
      streams.err('base64: truncated input\n');
      return { status: 1 };
    }
    streams.out(textOfBytes(decodeBase64(plain)));
    return { status: 0 };
  },
});

const digest = (name: string, of: (bytes: Uint8Array) => string): SimpleCommand =>
  defineTool({
    name,
    options: '',
    usage: '[FILE]...',
    run: ({ rest }, context, streams) => {
      const { texts, status } = readPaths(name, rest, context, streams);
      for (const { path, text } of texts) {
        // It goes over every byte many times.
        context.budget.product(text.length, 32);
        streams.out(`${of(bytesOfText(text))}  ${path}\n`);
      }
      return { status };
    },
  });

export const digestTools: { readonly [name: string]: SimpleCommand } = {
  base64,
  md5sum: digest('md5sum', md5),
  sha256sum: digest('sha256sum', sha256),
};
