/** Quantities as plain numbers, worked out apart from the engine: good enough for `2`, `250m`, `16Mi` in sums. */
const units: Readonly<Record<string, number>> = { '': 1, m: 0.001, k: 1e3, M: 1e6, G: 1e9, Ki: 1_024, Mi: 1_048_576, Gi: 1_073_741_824 };

export function quantityToNumber(text: string | undefined | readonly (string | undefined)[]): number {
  if (text === undefined) return 0;
  if (typeof text !== 'string') return text.reduce((sum, one) => sum + quantityToNumber(one), 0);
  const [, digits = '0', unit = ''] = /^([0-9.]+)([a-zA-Z]*)$/.exec(text) ?? [];
  return Number(digits) * (units[unit] ?? Number.NaN);
}
