/**
 * The judge of the store: the rules of engine/store/SPEC.md said as naively as possible, over one list of all changes.
 * Values are numbers. Slow on purpose; shares no code with the store.
 */
export interface ModelChange {
  readonly revision: number;
  readonly key: string;
  /** undefined: deleted. */
  readonly value: number | undefined;
}

export interface ModelValue {
  readonly key: string;
  readonly value: number;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
}

export class StoreModel {
  readonly changes: ModelChange[] = [];
  revision = 1;
  compacted = 0;

  stateAt(revision: number): ModelValue[] {
    const state = new Map<string, ModelValue>();
    for (const { revision: modRevision, key, value } of this.changes) {
      if (modRevision > revision) break;
      const before = state.get(key);
      if (value === undefined) state.delete(key);
      else state.set(key, { key, value, createRevision: before?.createRevision ?? modRevision, modRevision, version: (before?.version ?? 0) + 1 });
    }
    return [...state.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  get(key: string): ModelValue | undefined {
    return this.stateAt(this.revision).find((value) => value.key === key);
  }

  /** Answers the reason of a failure, or the revision of the write. */
  write(type: 'create' | 'update' | 'remove', key: string, expected: number | undefined, value: number): string | number {
    const current = this.get(key);
    if (type === 'create' && current !== undefined) return 'exists';
    if (type !== 'create' && current === undefined) return 'missing';
    if (type !== 'create' && expected !== undefined && expected !== current?.modRevision) return 'mismatch';
    this.revision++;
    this.changes.push({ revision: this.revision, key, value: type === 'remove' ? undefined : value });
    return this.revision;
  }

  changesAfter(revision: number, prefix: string): ModelChange[] {
    return this.changes.filter((change) => change.revision > revision && change.key.startsWith(prefix));
  }

  /** Why a read at `revision` is refused, if it is. */
  refusal(revision: number): string | undefined {
    if (revision > this.revision) return 'FutureRevisionError';
    return revision < this.compacted ? 'CompactedError' : undefined;
  }
}
