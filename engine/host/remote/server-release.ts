/** Which release an API server is of, as its `/version` says. */
import type { Release } from '../../contracts/release.ts';
import { defaultRelease, releases } from '../../releases/releases.ts';
import type { Connection } from './connection.ts';

/** The nearest of those there are. */
export async function releaseOfServer(connection: Pick<Connection, 'call'>): Promise<Release> {
  const { major, minor } = await connection.call<{ readonly major?: string; readonly minor?: string }>('GET', '/version');
  const server = numberOf(`${major}.${minor}`);
  if (Number.isNaN(server)) return defaultRelease;
  const distance = ({ name }: Release): number => Math.abs(numberOf(name) - server);
  return releases.reduce((nearest, one) => (distance(one) < distance(nearest) ? one : nearest), defaultRelease);
}

/** `1.36`, or `1.13+` as vendors write it. */
function numberOf(version: string): number {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) * 1000 + Number(minor);
}
