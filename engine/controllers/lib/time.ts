/** Milliseconds of the time text of an API object; undefined where there is none. Trusts the API server's form: hot paths call it. */
export function parseTime(text: string | undefined | null): number | undefined {
  if (text === undefined || text === null) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
