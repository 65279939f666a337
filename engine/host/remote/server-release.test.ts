import { expect, it } from 'vitest';
import { releaseOfServer } from './server-release.ts';

it.each([
  [{ major: '1', minor: '36' }, '1.36'],
  [{ major: '1', minor: '40' }, '1.36'],
  [{ major: '1', minor: '35+' }, '1.36'],
  [{ major: '1', minor: '13+' }, '1.13'],
  [{ major: '1', minor: '9' }, '1.13'],
  [{ gitVersion: 'v0.0.0-master' }, '1.36'],
])('a server of %j has the ways of %s', async (version, want) => {
  const release = await releaseOfServer({ call: <R>() => Promise.resolve(version as R) });
  expect(release.name).toBe(want);
});
