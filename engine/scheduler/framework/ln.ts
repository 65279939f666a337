/**
 * The natural logarithm from additions, multiplications and divisions only, so that every engine gives the same bits (Math.log may
 * not). Topology spreading weighs domains by it. Good to about 1e-15 for the whole numbers that come.
 */
const ln2 = 0.6931471805599453;

export function ln(x: number): number {
  let mantissa = x;
  let exponent = 0;
  while (mantissa > 1.4142135623730951) {
    mantissa /= 2;
    exponent++;
  }
  const ratio = (mantissa - 1) / (mantissa + 1);
  const square = ratio * ratio;
  let term = ratio;
  let sum = 0;
  for (let n = 1; n < 40; n += 2) {
    sum += term / n;
    term *= square;
  }
  return 2 * sum + exponent * ln2;
}
