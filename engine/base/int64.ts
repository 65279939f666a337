/**
 * Whole numbers of 64 bits as API objects hold them: a number while a double holds it exactly, a bigint beyond 2^53. The two never
 * mix in arithmetic, so whoever calculates asks here first, and the types of the API do not let anybody forget it.
 */
export type Int64 = number | bigint;

const nanosPerSecond = 1_000_000_000n;
/** Seconds whose nanoseconds fit into 64 bits. */
const exactSecondsMax = 9_223_372_036;

/** The nearest double; exact up to 2^53. */
export function toNumber(value: Int64): number {
  return Number(value);
}

/** A bigint that a double holds becomes a number again. */
export function compactInt64(value: bigint): Int64 {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

/** One more, as Go's int64 counts: past the largest comes the smallest. */
export function incremented(value: Int64): Int64 {
  return compactInt64(BigInt.asIntN(64, BigInt(value) + 1n));
}

/**
 * Milliseconds of so many seconds as Go's `time.Duration(seconds) * time.Second` has them: nanoseconds of 64 bits that wrap around
 * past 292 years. A grace period of 2^53 seconds ends at a real instant here as there.
 */
export function secondsToMs(seconds: Int64): number {
  if (seconds <= exactSecondsMax && seconds >= -exactSecondsMax) return Number(seconds) * 1000;
  return Number(BigInt.asIntN(64, BigInt(seconds) * nanosPerSecond)) / 1e6;
}
