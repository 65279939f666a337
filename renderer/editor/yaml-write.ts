/** YAML as an API server reads it: the rules of YAML 1.1 without times of day and dates, so that what is written here means the same there. */
import { stringify, type CreateNodeOptions, type DocumentOptions, type SchemaOptions } from 'yaml';
import type { JsonValue } from '../../engine/base/json.ts';

/** Tags of YAML 1.1 that Kubernetes' reader does not know: `12:30` is a text to it and not 750. */
const foreign: ReadonlySet<string> = new Set(['binary', 'omap', 'pairs', 'set', 'timestamp'].map((name) => `tag:yaml.org,2002:${name}`));

export const yamlRules: DocumentOptions & SchemaOptions & CreateNodeOptions = {
  version: '1.1',
  merge: true,
  customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || (!foreign.has(tag.tag) && tag.format !== 'TIME')),
};

/** What is nested too deep for the stack of whoever writes block after block is written as JSON, which is YAML too. */
export function writeYaml(value: JsonValue): string {
  try {
    return stringify(value, { ...yamlRules, lineWidth: 0, aliasDuplicateObjects: false });
  } catch (error) {
    if (error instanceof RangeError) return `${JSON.stringify(value, null, 1)}\n`;
    throw error;
  }
}
