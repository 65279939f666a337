/** The releases that a cluster can be of. The first is what a cluster is when nobody says otherwise. */
import { assert } from '../base/assert.ts';
import type { Release } from '../contracts/release.ts';
import { release as release113 } from './1.13/release.ts';
import { release as release136 } from './1.36/release.ts';

export const releases: readonly [Release, ...Release[]] = [release136, release113];
export const defaultRelease: Release = releases[0];

export function getRelease(name: string): Release | undefined {
  return releases.find((release) => release.name === name);
}

/** For sentences: `1.36 or 1.13`. */
export function releaseNames(): string {
  return releases.map((release) => release.name).join(' or ');
}

export function mustGetRelease(name: string): Release {
  const release = getRelease(name);
  assert(release, `release ${name}`);
  return release;
}
