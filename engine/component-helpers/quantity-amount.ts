/**
 * Quantities as plain numbers for sums in hot paths. Exact up to 2^53; the full arithmetic of quantities stands in
 * `apimachinery/quantity.ts`. Mirrors Value and MilliValue of k8s.io/apimachinery pkg/api/resource, which round up.
 */
const factors: { readonly [suffix: string]: number } = {
  '': 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
  Pi: 1024 ** 5,
  Ei: 1024 ** 6,
};

/** Thousandths of a quantity, rounded up. */
export function milliAmount(text: string): number {
  return scaled(text, 1000);
}

/** Units of a quantity, rounded up. */
export function unitAmount(text: string): number {
  return scaled(text, 1);
}

/** Thousandths for cpu, units for every other resource. */
export function quantityAmount(resource: string, text: string): number {
  return scaled(text, resource === 'cpu' ? 1000 : 1);
}

function scaled(text: string, scale: number): number {
  let end = text.length;
  while (end > 0 && !isDigit(text.charCodeAt(end - 1)) && text.charCodeAt(end - 1) !== 46) end--;
  const number = Number(text.slice(0, end));
  const suffix = text.slice(end);
  if (suffix === 'm' && scale === 1000) return Math.ceil(number);
  const product = number * (factors[suffix] ?? 1) * scale;
  // Products such as 0.1 * 1000 carry a speck of binary error that must not round up.
  const near = Math.round(product);
  return Math.abs(product - near) < 1e-6 ? near : Math.ceil(product);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
