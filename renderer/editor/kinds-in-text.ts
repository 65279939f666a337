/** Which kinds a text is of, read from its lines alone: also while it is being written and is no YAML. */
import { parseGroupVersion } from '../../engine/apimachinery/object.ts';
import type { Gvk } from './schema.ts';

export interface KindPlace {
  /** Where its document begins, in characters. */
  readonly from: number;
  readonly gvk: Gvk;
}

export function kindsInText(text: string): readonly KindPlace[] {
  const starts = [0, ...[...text.matchAll(/^---/gm)].map(({ index }) => index)];
  return starts.flatMap((from, index): KindPlace[] => {
    const part = text.slice(from, starts[index + 1] ?? text.length);
    const version = parseGroupVersion(wordOf(part, 'apiVersion'));
    const kind = wordOf(part, 'kind');
    return version === undefined || kind === '' ? [] : [{ from, gvk: { group: version.group, version: version.version, kind } }];
  });
}

function wordOf(text: string, key: 'apiVersion' | 'kind'): string {
  return new RegExp(`^${key}:[ \\t]*["']?([\\w./-]+)`, 'm').exec(text)?.[1] ?? '';
}
