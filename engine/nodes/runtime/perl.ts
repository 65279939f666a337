/** The one Perl program that Kubernetes' documentation made famous: digits of pi. */
export function perlOutput(args: readonly string[]): { readonly text: string; readonly tookMs: number } | undefined {
  const digits = /print\s+bpi\((\d{1,5})\)/.exec(args.join(' '));
  if (digits === null) return undefined;
  const count = Number(digits[1]);
  return { text: `${piDigits(count)}\n`, tookMs: 300 + count * 2.4 };
}

/** `count` significant digits by Machin's formula, with ten guard digits; the last one is rounded. */
function piDigits(count: number): string {
  const guard = 10n;
  const scale = 10n ** (BigInt(count) + guard);
  const pi = 4n * (4n * arctanOfInverse(5n, scale) - arctanOfInverse(239n, scale));
  const unit = 10n ** (guard + 1n);
  const text = ((pi + unit / 2n) / unit).toString();
  return count <= 1 ? '3' : `${text[0]}.${text.slice(1)}`;
}

function arctanOfInverse(x: bigint, scale: bigint): bigint {
  const square = x * x;
  let term = scale / x;
  let sum = term;
  for (let n = 3n, sign = -1n; term !== 0n; n += 2n, sign = -sign) {
    term /= square;
    sum += (sign * term) / n;
  }
  return sum;
}
