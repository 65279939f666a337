/** Options that are wrong are refused in the words of the real API server. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Settings } from '../../../engine/cluster/settings.ts';
import { readAuthentication } from '../../../engine/host/commands/authentication-options.ts';
import { startAudit } from '../../../engine/host/commands/audit-options.ts';
import { readSeals } from '../../../engine/host/commands/encryption-options.ts';
import type { Given } from '../../../engine/host/commands/given.ts';
import { controlPlaneOptions } from '../../../engine/host/commands/options.ts';
import { commonFiles, optionCases } from './option-cases.ts';

const facts = JSON.parse(readFileSync(new URL('./option-facts.json', import.meta.url), 'utf8')) as { readonly [name: string]: string };
/** What reads YAML has other words here, and values are not printed as Go prints structs (docs/differences.md). */
const otherWords = / no YAML$|two users of one name$/;
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'options-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function refusal(given: Given): string {
  try {
    new Settings(controlPlaneOptions(given));
    readAuthentication(given);
    void startAudit(given, () => undefined)?.close();
    readSeals(given);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

it.each(optionCases.map((one) => [one.name, one] as const))('%s', (name, { flags, files = {} }) => {
  for (const [file, text] of Object.entries({ ...commonFiles, ...files })) writeFileSync(join(folder, file), text.replaceAll('FOLDER', folder));
  const camel = (flag: string): string => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const given = Object.fromEntries(Object.entries(flags).map(([flag, value]) => [camel(flag), value.replaceAll('FOLDER', folder)]));
  const [ours, theirs = ''] = [refusal(given).replaceAll(folder, 'FOLDER'), facts[name]];
  if (otherWords.test(name)) expect(ours.split(/: (?:couldn't|yaml|error converting)/)[0]).toBe(theirs.split(/: (?:yaml|error converting)/)[0]);
  else expect(ours).toBe(theirs);
});
