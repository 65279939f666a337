/** When V8 gives a function to its optimizing compiler. */
import v8 from 'node:v8';

/**
 * How often a function is called before: V8's own figure, 3,000, suits a page, in which code is small and runs in loops. A write goes once through
 * hundreds of functions, so that a cluster would be half as fast until some thousands of writes have been made.
 */
const sooner = '--invocation-count-for-turbofan=300';
const flagsByMajor: ReadonlyMap<string, string> = new Map([
  ['13', sooner],
  ['14', sooner],
]);

/** Options of V8 for its release, such as `13.6.233`; undefined for one that was not tried. Only speed depends on them. */
export function optimizerFlags(release: string): string | undefined {
  const [major = ''] = release.split('.');
  return flagsByMajor.get(major);
}

/** For a process that runs a cluster: to be called before its code is warm. */
export function optimizeSooner(): void {
  const flags = optimizerFlags(process.versions.v8);
  if (flags !== undefined) v8.setFlagsFromString(flags);
}
