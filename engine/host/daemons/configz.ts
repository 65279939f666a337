/** `/configz`: the configuration that a daemon's flags are, in upstream's shape. Mirrors component-base configz. */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { formatDuration, parseDuration } from '../../apimachinery/time.ts';
import { getOwn, setOwn } from '../../base/dictionary.ts';
import type { FlagValues } from './flag-set.ts';

/** One value: what a flag says, or what nothing says here. */
export type ConfigurationRow = { readonly path: string } & ({ readonly flag: string } | { readonly value: JsonValue });

export interface ShownConfiguration {
  /** Under which the configuration stands. */
  readonly name: string;
  readonly rows: readonly ConfigurationRow[];
  /** What stands behind the rows. */
  more?(flags: FlagValues): JsonObject;
}

type Fields = { [field: string]: JsonValue };

/** `defaults` are those of the release in force, where it has others. */
export function configzText({ name, rows, more }: ShownConfiguration, flags: FlagValues, defaults: Readonly<Record<string, string>>): string {
  const document: Fields = {};
  for (const row of rows) put(document, row.path.split('.'), 'flag' in row ? valueOf(row.flag, flags, defaults) : row.value);
  return JSON.stringify({ [name]: { ...document, ...more?.(flags) } });
}

function put(document: Fields, [field = '', ...rest]: readonly string[], value: JsonValue): void {
  if (rest.length === 0) {
    setOwn(document, field, value);
    return;
  }
  const inner = (document[field] ?? {}) as Fields;
  setOwn(document, field, inner);
  put(inner, rest, value);
}

function valueOf(name: string, flags: FlagValues, defaults: Readonly<Record<string, string>>): JsonValue {
  const type = flags.typeOf(name);
  const text = flags.isGiven(name) ? flags.text(name) : (getOwn(defaults, name) ?? flags.text(name));
  if (type === 'bool') return text === 'true';
  if (type === 'duration') return formatDuration(parseDuration(text) ?? 0);
  if (type === 'strings') return flags.list(name);
  return type === 'int' || type === 'int32' || type === 'uint' || type === 'float' || type === 'float64' ? Number(text) : text;
}
