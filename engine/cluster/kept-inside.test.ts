import { expect, test } from 'vitest';
import { newConflict } from '../apimachinery/errors.ts';
import type { LoggedRequest } from '../apiserver/requests/logged-request.ts';
import { RequestLog } from '../apiserver/requests/request-log.ts';
import type { ApiRequest, ApiResult } from '../contracts/request.ts';
import { keepInside } from './kept-inside.ts';

function aKeeper() {
  const state = { revision: 10 };
  const requests = new RequestLog({ wallMs: () => 0, nowMs: () => 0 });
  const keeper = { requests, store: { currentRevision: () => state.revision } };
  const request = { verb: 'update', userAgent: 'somebody', resource: 'pods', identity: { name: 'somebody' } } as unknown as ApiRequest;
  const kept = (): LoggedRequest | undefined => requests.clients.recentOf('somebody')[0];
  return { state, keeper, request, kept };
}

function answer(revision: number): ApiResult {
  return { code: 200, object: { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p', resourceVersion: String(revision) } }, warnings: [] };
}

test('a request that waits is kept with the revisions that it made, whatever others write meanwhile', async () => {
  const { state, keeper, request, kept } = aKeeper();
  const { promise, resolve } = Promise.withResolvers<void>();
  const served = keepInside(keeper, request, async (commits) => {
    await promise;
    state.revision = 12;
    commits(() => (state.revision = 14));
    state.revision = 15;
    return answer(14);
  });
  state.revision = 11;
  resolve();
  await served;
  expect(kept()).toMatchObject({ code: 200, firstRevision: 13, lastRevision: 14 });
});

test('one that waits and changes nothing is kept without any, though it reads what others wrote meanwhile', async () => {
  const { state, keeper, request, kept } = aKeeper();
  const served = keepInside(keeper, request, () => Promise.resolve(answer(13)));
  state.revision = 15;
  await served;
  expect(kept()).toMatchObject({ code: 200, firstRevision: 0, lastRevision: 0 });
});

test('one that is answered at once is kept with what its commit made', async () => {
  const { state, keeper, request, kept } = aKeeper();
  await keepInside(keeper, request, (commits) => {
    commits(() => state.revision++);
    return answer(11);
  });
  expect(kept()).toMatchObject({ code: 200, firstRevision: 11, lastRevision: 11 });
});

test('one that is refused is kept with why, and refused all the same', async () => {
  const { keeper, request, kept } = aKeeper();
  const refusal = newConflict({ group: '', resource: 'pods' }, 'p', 'it has moved');
  await expect(keepInside(keeper, request, () => Promise.reject(refusal))).rejects.toBe(refusal);
  expect(kept()).toMatchObject({ code: 409, reason: 'Conflict' });
});
