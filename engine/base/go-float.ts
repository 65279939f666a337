/** Floating-point numbers as Go prints them. */

/** As Go's %g writes a double in the shortest form: `6.291456e+06`, `0.25`, `+Inf`. */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const exponent = Number(value.toExponential().split('e')[1]);
  if (value !== 0 && (exponent < -4 || exponent >= 6)) return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  return String(value);
}
