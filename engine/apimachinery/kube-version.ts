/** Versions of APIs by their age: v2, v1, v1beta2, v1beta1, v1alpha1, then what is no such version. Mirrors apimachinery pkg/version/helpers.go. */

interface ParsedVersion {
  /** 3 is stable, 2 beta, 1 alpha, 0 no Kubernetes version. */
  readonly stability: number;
  readonly major: number;
  readonly minor: number;
}

/** Orders versions, the most preferred first. */
export function byKubeVersion(a: string, b: string): number {
  const left = parseVersion(a);
  const right = parseVersion(b);
  return right.stability - left.stability || right.major - left.major || right.minor - left.minor || (a < b ? -1 : a > b ? 1 : 0);
}

function parseVersion(version: string): ParsedVersion {
  const match = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/.exec(version);
  if (match === null) return { stability: 0, major: 0, minor: 0 };
  const [, major, stage, minor] = match;
  return { stability: stage === undefined ? 3 : stage === 'beta' ? 2 : 1, major: Number(major), minor: Number(minor ?? 0) };
}
