/** What upstream warns of a version that will go. Mirrors apiserver pkg/endpoints/deprecation. */

export interface Deprecation {
  /** Version and kind. */
  readonly of: string;
  /** Minor releases since which it is deprecated, and is no more. */
  readonly deprecated: number;
  readonly removed: number;
  /** Version and kind to use. */
  readonly instead?: string;
}

export function deprecationText({ of, deprecated, removed, instead }: Deprecation): string {
  return `${of} is deprecated in v1.${deprecated}+, unavailable in v1.${removed}+${instead === undefined ? '' : `; use ${instead}`}`;
}
