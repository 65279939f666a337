import { expect, it } from 'vitest';
import { userInfo } from './user-info.ts';

it('who has no name is told without one, as Go leaves out what is empty', () => {
  expect(userInfo({ name: '', groups: ['system:authenticated'] })).toEqual({ groups: ['system:authenticated'] });
});
