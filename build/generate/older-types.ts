/** Types that the present release has no longer and an older one is told with: whole packages, and kinds with what they are made of. */
import type { GoStruct } from './go-types.ts';
import type { SourcePackage } from './messages.ts';

/** The present packages, and what only `older` has of the API. A type of the same name is the present one. */
export function withOlderTypes(present: readonly SourcePackage[], older: readonly SourcePackage[]): readonly SourcePackage[] {
  const api = older.filter(({ path }) => path.startsWith('k8s.io/api/'));
  const gone = api.filter(({ path }) => !present.some((one) => one.path === path));
  const kept = present.map((now) => {
    const then = api.find(({ path }) => path === now.path);
    return then === undefined ? now : withOlderKinds(now, then);
  });
  return [...kept, ...gone].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function withOlderKinds(now: SourcePackage, then: SourcePackage): SourcePackage {
  const isKnown = (name: string): boolean => now.go.structs.has(name) || now.go.named.has(name);
  const wanted = new Map<string, GoStruct>();
  const add = (struct: GoStruct): void => {
    if (isKnown(struct.name) || wanted.has(struct.name)) return;
    wanted.set(struct.name, struct);
    for (const { goType } of struct.fields) {
      const inner = then.go.structs.get(/\w+$/.exec(goType)?.[0] ?? '');
      if (inner !== undefined && !goType.includes('.')) add(inner);
    }
  };
  for (const struct of then.go.structs.values()) if (struct.fields.some(({ goName }) => goName === 'TypeMeta')) add(struct);
  if (wanted.size === 0) return now;
  const named = new Map([...then.go.named].filter(([name]) => !isKnown(name)));
  return {
    ...now,
    go: {
      structs: new Map([...now.go.structs, ...wanted]),
      named: new Map([...named, ...now.go.named]),
      imports: new Map([...then.go.imports, ...now.go.imports]),
      defined: new Set([...then.go.defined, ...now.go.defined]),
      enums: now.go.enums,
      constants: now.go.constants,
    },
  };
}
