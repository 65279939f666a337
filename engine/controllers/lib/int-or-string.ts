/** A count or a percentage of a total. Mirrors intstr.GetScaledValueFromIntOrPercent for values that validation has passed. */
export function scaledValue(value: number | string | undefined, total: number, round: 'up' | 'down'): number {
  if (value === undefined) return 0;
  if (typeof value === 'number') return value;
  const percent = value.endsWith('%') ? Number(value.slice(0, -1)) : Number.NaN;
  if (!Number.isInteger(percent)) return 0;
  const exact = percent * total;
  return round === 'up' ? Math.ceil(exact / 100) : Math.floor(exact / 100);
}
