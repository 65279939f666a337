/** What every shipped scenario keeps to: it parses, tells its story, and says before the run what is to happen. Runs are in test/simulation. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../engine/scenarios/load.ts';

const folder = fileURLToPath(new URL('../../scenarios', import.meta.url));
const files = globSync('*/*/scenario.yaml', { cwd: folder });

describe.each(files)('%s', (file) => {
  const at = join(folder, dirname(file));

  it('parses, under the name of its folder', () => {
    expect(parseScenario(readFileSync(join(folder, file), 'utf8')).metadata.name).toBe(at.split(/[/\\]/).at(-1));
  });

  it('comes with a story and an expected timeline whose spans run forward', () => {
    expect(existsSync(join(at, 'README.md'))).toBe(true);
    const { expected } = load(readFileSync(join(at, 'expected-timeline.yaml'), 'utf8')) as {
      readonly expected: readonly { readonly object: string; readonly at?: readonly number[] }[];
    };
    expect(expected.length).toBeGreaterThan(0);
    for (const { at: span } of expected) if (span !== undefined) expect(span[0]).toBeLessThanOrEqual(span[1] ?? 0);
  });
});
