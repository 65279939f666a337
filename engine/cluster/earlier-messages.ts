/** Messages with the fields that a release had and the present one has not, as far as its gates let them be there. */
import { createSchemaRegistry } from '../api/schemas.ts';
import type { MessageSchema } from '../apimachinery/schema.ts';
import { assert } from '../base/assert.ts';
import type { EarlierField, ReleaseFields } from '../contracts/release.ts';
import type { Settings } from './settings.ts';

export function earlierMessages({ fields, messages }: ReleaseFields['earlier'], featureEnabled: (gate: string) => boolean): readonly MessageSchema[] {
  const widened = Object.entries(fields).flatMap(([name, earlier]) => {
    const there = earlier.filter(({ gate }) => gate === undefined || featureEnabled(gate));
    return there.length === 0 ? [] : [there.reduce(withField, createSchemaRegistry().mustGet(name))];
  });
  return widened.length === 0 ? [] : [...widened, ...messages];
}

function withField(message: MessageSchema, { field, before }: EarlierField): MessageSchema {
  const place = before === undefined ? message.fields.length : message.fields.findIndex(({ name }) => name === before);
  assert(place >= 0, `${message.name} has ${before}`);
  return { ...message, fields: [...message.fields.slice(0, place), field, ...message.fields.slice(place)] };
}

/** Plugins that switch their gate on themselves. Mirrors ValidateInitialization of apiserver pkg/admission/plugin/initialization. */
const switching: ReadonlySet<string> = new Set(['Initializers']);

export function gatesOfPlugins(settings: Pick<Settings, 'list'>): ReadonlySet<string> {
  return new Set(settings.list('enable-admission-plugins').filter((name) => switching.has(name)));
}
