/** Formats that nobody checks: a definition with such is warned of. Mirrors GetUnrecognizedFormats of apiextensions-apiserver. */
import type { JSONSchemaProps } from '../../api/apiextensions/v1/types.gen.ts';
import { someSchema } from './definition-validation.ts';
import { checkedFormat, formatsOfToday } from './formats.ts';

/** Each once, in the order in which they are met. */
export function unknownFormats(schema: JSONSchemaProps, formats: ReadonlySet<string> = formatsOfToday): ReadonlySet<string> {
  const unknown = new Set<string>();
  someSchema(schema, ({ format = '', type = '' }) => {
    if (format !== '' && checkedFormat(format, [type], formats) === '') unknown.add(format);
    return false;
  });
  return unknown;
}
