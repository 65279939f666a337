/** A field selector for exact values, whatever is in them: names of some kinds have commas, signs of equality and backslashes. */
export function fieldSelector(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([field, value]) => `${field}=${value.replaceAll(/[\\,=]/g, String.raw`\$&`)}`)
    .join(',');
}
