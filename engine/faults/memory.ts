/** What the faults component remembers of each Fault object, as plain data (law 9). */
export interface FaultEntry {
  readonly name: string;
  readonly uid: string;
  readonly type: string;
  /** Nodes, or the registry host. */
  readonly subjects: readonly string[];
  readonly injectedMs: number;
  /** 0: until the object is deleted. */
  readonly healsMs: number;
  readonly message: string;
  phase: 'Active' | 'Healed' | 'Failed';
  healedMs: number;
  /** The phase that the object's status tells. */
  reported: string;
}

export class FaultMemory {
  readonly #entries = new Map<string, FaultEntry>();

  get(name: string): FaultEntry | undefined {
    return this.#entries.get(name);
  }

  add(entry: FaultEntry): void {
    this.#entries.set(entry.name, entry);
  }

  forget(name: string): void {
    this.#entries.delete(name);
  }

  /** Subjects of the entry that no other active fault of its type holds down. */
  freedBy(entry: FaultEntry): readonly string[] {
    const held = new Set<string>();
    for (const other of this.#entries.values()) {
      if (other !== entry && other.phase === 'Active' && other.type === entry.type) for (const subject of other.subjects) held.add(subject);
    }
    return entry.subjects.filter((subject) => !held.has(subject));
  }

  save(): readonly FaultEntry[] {
    return [...this.#entries.values()].map((entry) => ({ ...entry }));
  }

  restore(saved: readonly FaultEntry[]): void {
    this.#entries.clear();
    for (const entry of saved) this.#entries.set(entry.name, { ...entry });
  }
}
