/** What a client sees of the generic registry, whatever the kind. */
import { describe, expect, it } from 'vitest';
import type { KubeList, KubeObject } from '../apimachinery/object.ts';
import type { Answer } from '../contracts/questions.ts';
import type { WatchOptions, WatchSink } from '../contracts/request.ts';
import { StatusError, type Status } from '../apimachinery/status.ts';
import { makeFixture, makeRequest, makeShip, type Fixture, type Ship } from './testing/fixture.ts';

function failure(run: () => unknown): Status {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return error.status;
    throw error;
  }
  throw new Error('did not fail');
}

function create(fixture: Fixture, ship: Ship): Ship {
  return fixture.send('create', 'ships', undefined, { body: ship });
}

function list(fixture: Fixture, options: WatchOptions): KubeList<Ship> {
  return fixture.send('list', 'ships', undefined, { list: options }) as unknown as KubeList<Ship>;
}

interface Seen {
  readonly type: string;
  readonly name: string;
  readonly revision: string;
}

const nobodyAnswers = (): Answer => ({ outcome: 'failed', message: 'nobody is there' });

function watch(fixture: Fixture, options: WatchOptions): readonly Seen[] {
  const seen: Seen[] = [];
  const sink: WatchSink = {
    onEvent: (event) => {
      const { metadata } = event.object as KubeObject;
      seen.push({ type: event.type, name: metadata?.name ?? '', revision: metadata?.resourceVersion ?? '' });
    },
    onEnd: () => {},
  };
  fixture.server.watch(makeRequest('watch', 'ships', undefined, { list: options }), sink, nobodyAnswers);
  return seen;
}

describe('create', () => {
  it('fills what the server owns', () => {
    const fixture = makeFixture();
    const ship = create(fixture, makeShip('a', { sails: 2 }, { uid: 'mine', deletionTimestamp: '2020-01-01T00:00:00Z' }));
    expect(ship.metadata).toMatchObject({
      name: 'a',
      namespace: 'default',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      resourceVersion: '2',
    });
    expect(ship.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ship.metadata.deletionTimestamp).toBeUndefined();
  });

  it('draws names and refuses taken ones', () => {
    const fixture = makeFixture();
    const drawn = create(fixture, { ...makeShip(''), metadata: { generateName: 'sloop-' } });
    expect(drawn.metadata.name).toMatch(/^sloop-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    create(fixture, makeShip('a'));
    const status = failure(() => create(fixture, makeShip('a')));
    expect(status).toMatchObject({ code: 409, reason: 'AlreadyExists', message: 'ships.test.dev "a" already exists' });
  });

  it('leaves no trace on dry run', () => {
    const fixture = makeFixture();
    const before = fixture.store.currentRevision();
    fixture.send('create', 'ships', undefined, { body: makeShip('a'), write: { dryRun: true } });
    expect(fixture.store.currentRevision()).toBe(before);
    expect(failure(() => fixture.send('get', 'ships', 'a')).code).toBe(404);
  });
});

describe('update', () => {
  it('bumps the generation with the spec only, and nothing when nothing changes', () => {
    const fixture = makeFixture();
    const ship = create(fixture, makeShip('a', { sails: 1 }));
    const labelled = fixture.send('update', 'ships', 'a', { body: { ...ship, metadata: { ...ship.metadata, labels: { x: 'y' } } } });
    expect(labelled.metadata.generation).toBe(1);
    const same = fixture.send('update', 'ships', 'a', { body: labelled });
    expect(same.metadata.resourceVersion).toBe(labelled.metadata.resourceVersion);
    const changed = fixture.send('update', 'ships', 'a', { body: { ...labelled, spec: { sails: 3 } } as Ship });
    expect(changed.metadata.generation).toBe(2);
  });

  it('leaves alone what the server says of an object: when it was made, that it is to go, and until when', () => {
    const fixture = makeFixture();
    create(fixture, makeShip('a', { sails: 1 }, { finalizers: ['x.dev/y'] }));
    const marked = fixture.send('delete', 'ships', 'a');
    const { deletionTimestamp: _at, deletionGracePeriodSeconds: _grace, ...rest } = marked.metadata;
    fixture.advance(60_000);
    const body = { ...marked, metadata: { ...rest, labels: { x: 'y' }, creationTimestamp: '2020-01-01T00:00:00Z', generation: 77 } };
    expect(fixture.send('update', 'ships', 'a', { body }).metadata).toMatchObject({
      labels: { x: 'y' },
      creationTimestamp: '2026-01-01T00:00:00Z',
      deletionTimestamp: '2026-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
      generation: 2,
    });
  });

  it('refuses an old resource version and another uid', () => {
    const fixture = makeFixture();
    const ship = create(fixture, makeShip('a'));
    fixture.send('update', 'ships', 'a', { body: { ...ship, spec: { sails: 3 } } as Ship });
    const status = failure(() => fixture.send('update', 'ships', 'a', { body: { ...ship, spec: { sails: 4 } } as Ship }));
    expect(status).toMatchObject({
      code: 409,
      message:
        'Operation cannot be fulfilled on ships.test.dev "a": the object has been modified; please apply your changes to the latest version and try again',
    });
    expect(failure(() => fixture.send('update', 'ships', 'a', { body: makeShip('a', {}, { uid: 'other' }) })).code).toBe(409);
    expect(failure(() => fixture.send('update', 'ships', 'b', { body: makeShip('b') })).code).toBe(404);
    expect(failure(() => fixture.send('update', 'ships', 'b', { body: makeShip('a') })).code).toBe(400);
  });

  it('keeps status and spec apart', () => {
    const fixture = makeFixture();
    const ship = create(fixture, makeShip('a', { sails: 1 }));
    const afloat = fixture.send('update', 'ships', 'a', {
      subresource: 'status',
      body: { ...ship, spec: { sails: 9 }, status: { afloat: true } } as Ship,
    });
    expect(afloat).toMatchObject({ spec: { sails: 1 }, status: { afloat: true }, metadata: { generation: 1 } });
    const sunk = fixture.send('update', 'ships', 'a', { body: { ...afloat, status: { afloat: false } } as Ship });
    expect(sunk.status).toEqual({ afloat: true });
    expect(sunk.spec).toBe(afloat.spec);
  });

  it('scales', () => {
    const fixture = makeFixture();
    create(fixture, makeShip('a', { sails: 1 }));
    const scale = fixture.send('patch', 'ships', 'a', { subresource: 'scale', patchType: 'merge', body: { spec: { replicas: 5 } } });
    expect(scale).toMatchObject({ kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 5 } });
    expect(fixture.send('get', 'ships', 'a')).toMatchObject({ spec: { sails: 5 }, metadata: { generation: 2 } });
  });
});

describe('delete', () => {
  it('answers with a Status, or 404', () => {
    const fixture = makeFixture();
    const ship = create(fixture, makeShip('a'));
    expect(fixture.send('delete', 'ships', 'a')).toMatchObject({
      kind: 'Status',
      status: 'Success',
      details: { name: 'a', group: 'test.dev', kind: 'ships', uid: ship.metadata.uid },
    });
    expect(failure(() => fixture.send('delete', 'ships', 'a')).message).toBe('ships.test.dev "a" not found');
  });

  it('waits for finalizers, and the last one taken away completes it', () => {
    const fixture = makeFixture();
    create(fixture, makeShip('a', {}, { finalizers: ['x.dev/y'] }));
    const marked = fixture.send('delete', 'ships', 'a');
    expect(marked.metadata).toMatchObject({ deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0, generation: 2 });
    const refused = failure(() =>
      fixture.send('update', 'ships', 'a', { body: { ...marked, metadata: { ...marked.metadata, finalizers: ['x.dev/y', 'x.dev/z'] } } }),
    );
    expect(refused).toMatchObject({ code: 422, reason: 'Invalid' });
    const { finalizers: _, ...free } = marked.metadata;
    fixture.send('update', 'ships', 'a', { body: { ...marked, metadata: free } });
    expect(failure(() => fixture.send('get', 'ships', 'a')).code).toBe(404);
  });

  it('of two policies the later counts', () => {
    const fixture = makeFixture();
    const finalizersAfter = (...policies: readonly ('Orphan' | 'Foreground' | 'Background')[]): readonly string[] | undefined => {
      create(fixture, makeShip('a', {}, { finalizers: ['x.dev/y'] }));
      for (const propagationPolicy of policies) fixture.send('delete', 'ships', 'a', { delete: { propagationPolicy } });
      const { metadata, ...ship } = fixture.send('get', 'ships', 'a');
      fixture.send('update', 'ships', 'a', { body: { ...ship, metadata: { ...metadata, finalizers: [] } } });
      return metadata.finalizers;
    };
    expect(finalizersAfter('Orphan')).toEqual(['x.dev/y', 'orphan']);
    expect(finalizersAfter('Orphan', 'Background')).toEqual(['x.dev/y']);
    expect(finalizersAfter('Orphan', 'Foreground')).toEqual(['x.dev/y', 'foregroundDeletion']);
    expect(finalizersAfter('Foreground', 'Orphan')).toEqual(['x.dev/y', 'orphan']);
    expect(finalizersAfter('Foreground', 'Background')).toEqual(['x.dev/y']);
  });

  it('keeps grace, which can only get shorter', () => {
    const fixture = makeFixture();
    fixture.send('create', 'harbours', undefined, { body: { kind: 'Harbour', apiVersion: 'test.dev/v1', metadata: { name: 'h' } } as KubeObject });
    const first = fixture.send('delete', 'harbours', 'h');
    expect(first.metadata).toMatchObject({ deletionTimestamp: '2026-01-01T00:00:30Z', deletionGracePeriodSeconds: 30 });
    fixture.advance(5000);
    fixture.send('delete', 'harbours', 'h', { delete: { gracePeriodSeconds: 60 } });
    expect(fixture.send('get', 'harbours', 'h').metadata.deletionGracePeriodSeconds).toBe(30);
    const shorter = fixture.send('delete', 'harbours', 'h', { delete: { gracePeriodSeconds: 10 } });
    expect(shorter.metadata).toMatchObject({ deletionTimestamp: '2026-01-01T00:00:10Z', deletionGracePeriodSeconds: 10 });
    fixture.send('delete', 'harbours', 'h', { delete: { gracePeriodSeconds: 0 } });
    expect(failure(() => fixture.send('get', 'harbours', 'h')).code).toBe(404);
  });

  it('checks preconditions and options', () => {
    const fixture = makeFixture();
    create(fixture, makeShip('a'));
    expect(failure(() => fixture.send('delete', 'ships', 'a', { delete: { preconditions: { uid: 'other' } } })).code).toBe(409);
    expect(failure(() => fixture.send('delete', 'ships', 'a', { delete: { propagationPolicy: 'Never' } })).code).toBe(422);
    expect(fixture.send('delete', 'ships', 'a', { delete: { propagationPolicy: 'Foreground' } }).metadata.finalizers).toEqual(['foregroundDeletion']);
  });

  it('takes no version for the one that a release of the last finalizers would have written', () => {
    const fixture = makeFixture();
    create(fixture, makeShip('a'));
    const { resourceVersion = '' } = fixture.send('delete', 'ships', 'a', { delete: { propagationPolicy: 'Orphan' } }).metadata;
    const released = { propagationPolicy: 'Background', preconditions: { resourceVersion } } as const;
    expect(failure(() => fixture.send('delete', 'ships', 'a', { delete: released })).message).toContain(
      `Precondition failed: ResourceVersion in precondition: , ResourceVersion in object meta: ${resourceVersion}`,
    );
    fixture.send('delete', 'ships', 'a', { delete: { propagationPolicy: 'Background' } });
    expect(failure(() => fixture.send('get', 'ships', 'a')).code).toBe(404);
  });

  it('deletes what a selector selects', () => {
    const fixture = makeFixture();
    for (const name of ['a', 'b', 'c']) create(fixture, makeShip(name, {}, { labels: { odd: String(name !== 'b') } }));
    fixture.send('deletecollection', 'ships', undefined, { list: { labelSelector: 'odd=true' } });
    expect(list(fixture, {}).items.map((ship) => ship.metadata.name)).toEqual(['b']);
  });
});

describe('list', () => {
  it('chunks one consistent snapshot', () => {
    const fixture = makeFixture();
    for (const name of ['a', 'b', 'c', 'd', 'e']) create(fixture, makeShip(name));
    const first = list(fixture, { limit: 2 });
    expect(first.metadata.remainingItemCount).toBe(3);
    fixture.send('delete', 'ships', 'c');
    const second = list(fixture, { limit: 2, continue: first.metadata.continue as string });
    expect(second.items.map((ship) => ship.metadata.name)).toEqual(['c', 'd']);
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    fixture.store.compact(fixture.store.currentRevision());
    const expired = failure(() => list(fixture, { limit: 2, continue: second.metadata.continue as string }));
    expect(expired).toMatchObject({ code: 410, reason: 'Expired' });
    expect(list(fixture, { continue: expired.metadata.continue as string }).items.map((ship) => ship.metadata.name)).toEqual(['e']);
  });

  it('selects by fields and labels', () => {
    const fixture = makeFixture();
    create(fixture, makeShip('a', { port: 'kiel' }));
    create(fixture, makeShip('b', { port: 'oslo' }));
    expect(list(fixture, { fieldSelector: 'spec.port=kiel' }).items).toHaveLength(1);
    expect(list(fixture, { fieldSelector: 'metadata.name=b' }).items).toHaveLength(1);
    expect(failure(() => list(fixture, { fieldSelector: 'spec.sails=1' })).message).toBe('field label not supported: spec.sails');
  });

  it('finds a part of names, in chunks, wherever it stands', () => {
    const fixture = makeFixture();
    for (const name of ['ant', 'bee', 'beetle', 'bug', 'wasp-bee']) create(fixture, makeShip(name, name === 'beetle' ? { port: 'kiel' } : {}));
    const named = (options: Parameters<typeof list>[1]) => list(fixture, { nameContains: 'bee', ...options });
    const first = named({ limit: 2 });
    expect(first.items.map((ship) => ship.metadata.name)).toEqual(['bee', 'beetle']);
    expect(named({ limit: 2, continue: first.metadata.continue as string }).items.map((ship) => ship.metadata.name)).toEqual(['wasp-bee']);
    expect(named({ fieldSelector: 'spec.port=kiel' }).items.map((ship) => ship.metadata.name)).toEqual(['beetle']);
    expect(named({ fieldSelector: 'metadata.name=bug' }).items).toEqual([]);
  });

  it('refuses versions it does not have', () => {
    const fixture = makeFixture();
    expect(failure(() => list(fixture, { resourceVersion: '999' }))).toMatchObject({ code: 504, reason: 'Timeout' });
    expect(failure(() => list(fixture, { resourceVersionMatch: 'Exact' })).code).toBe(422);
    expect(failure(() => list(fixture, { continue: '%%%' })).code).toBe(400);
  });
});

describe('watch', () => {
  it('starts with the state and follows it', () => {
    const fixture = makeFixture();
    create(fixture, makeShip('a'));
    const seen = watch(fixture, {});
    const ship = create(fixture, makeShip('b'));
    fixture.send('update', 'ships', 'b', { body: { ...ship, spec: { sails: 2 } } as Ship });
    fixture.send('delete', 'ships', 'b');
    expect(seen).toEqual([
      { type: 'ADDED', name: 'a', revision: '2' },
      { type: 'ADDED', name: 'b', revision: '3' },
      { type: 'MODIFIED', name: 'b', revision: '4' },
      { type: 'DELETED', name: 'b', revision: '5' },
    ]);
  });

  it('ends a watch that cannot tell a change, and the write goes through', () => {
    const fixture = makeFixture();
    const types: string[] = [];
    const sink: WatchSink = {
      onEvent: ({ type }) => {
        types.push(type);
        if (type === 'ADDED') throw new Error('the encoder lost its way');
      },
      onEnd: () => types.push('end'),
    };
    fixture.server.watch(makeRequest('watch', 'ships', undefined, { list: {} }), sink, nobodyAnswers);
    const seen = watch(fixture, {});
    const ship = create(fixture, makeShip('a'));
    fixture.send('update', 'ships', 'a', { body: { ...ship, spec: { sails: 2 } } as Ship });
    expect(types).toEqual(['ADDED', 'ERROR', 'end']);
    expect(seen.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED']);
  });

  it('turns leaving a selector into DELETED and entering it into ADDED', () => {
    const fixture = makeFixture();
    const ship = create(fixture, makeShip('a', { port: 'kiel' }));
    const seen = watch(fixture, { fieldSelector: 'spec.port=kiel', resourceVersion: ship.metadata.resourceVersion as string });
    fixture.send('patch', 'ships', 'a', { patchType: 'merge', body: { spec: { port: 'oslo' } } });
    fixture.send('patch', 'ships', 'a', { patchType: 'merge', body: { spec: { port: 'kiel' } } });
    expect(seen).toEqual([
      { type: 'DELETED', name: 'a', revision: '3' },
      { type: 'ADDED', name: 'a', revision: '4' },
    ]);
  });

  it('ends the initial events with a bookmark, and expires', () => {
    const fixture = makeFixture();
    create(fixture, makeShip('a'));
    const seen = watch(fixture, { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true });
    expect(seen.map((event) => event.type)).toEqual(['ADDED', 'BOOKMARK']);
    create(fixture, makeShip('b'));
    fixture.store.compact(fixture.store.currentRevision());
    expect(watch(fixture, { resourceVersion: '1' }).map((event) => event.type)).toEqual(['ERROR']);
  });
});

it('says in upstream’s words what is forbidden', () => {
  const fixture = makeFixture({ authorizer: { authorize: () => ({ allowed: false, reason: '' }) } });
  expect(failure(() => fixture.send('list', 'ships', undefined)).message).toBe(
    'ships.test.dev is forbidden: User "tester" cannot list resource "ships" in API group "test.dev" in the namespace "default"',
  );
});
