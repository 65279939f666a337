/**
 * What a first reading has to do of all that is there (hundreds of milliseconds with 150,000 pods) is done before the page reads, a slice at a time,
 * so that neither the cluster nor another client waits for it in one piece.
 */
import type { ComputedQuery } from '../contracts/computed-resource.ts';
import { simGroup } from '../history/virtual-kind.ts';

interface ReadBranch {
  readonly cluster: { prepareReading(plural: string, most: number, query: ComputedQuery): boolean };
  readonly failure: Error | undefined;
}

const sliceMs = 4;
const stepsAtOnce = 200;
const resourceInPath = new RegExp(`^(?:/branches/[^/]+)?/apis/${simGroup.replaceAll('.', '\\.')}/[^/]+/(?:namespaces/[^/]+/)?([^/?]+)`);

/** Resolves when the resource that a path names is quick to read with the query; undefined where it is. */
export function prepared(branch: ReadBranch, path: string, query: string): Promise<void> | undefined {
  const resource = resourceInPath.exec(path)?.[1];
  if (resource === undefined) return undefined;
  const asked = Object.fromEntries(new URLSearchParams(query));
  return prepareSome(branch, resource, asked) ? undefined : goOn(branch, resource, asked);
}

/** Resources whose first reading goes through all that is there, in the order in which the page comes to them. */
const readFirst = ['timelines', 'differences', 'clustermaps'] as const;
/** Of each beat. */
const aheadSliceMs = 8;

/**
 * A slice of what the page will want to read first, whichever view it goes to: to be called ten times a second while a page is open. As long as all is ready it
 * takes what changed since. Whether all is ready.
 */
export function prepareAhead({ cluster, failure }: ReadBranch): boolean {
  const untilMs = performance.now() + aheadSliceMs;
  for (const resource of readFirst)
    while (failure === undefined && !cluster.prepareReading(resource, stepsAtOnce, {})) if (performance.now() > untilMs) return false;
  return true;
}

async function goOn(branch: ReadBranch, resource: string, query: ComputedQuery): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (!prepareSome(branch, resource, query));
}

function prepareSome({ cluster, failure }: ReadBranch, resource: string, query: ComputedQuery): boolean {
  const untilMs = performance.now() + sliceMs;
  while (failure === undefined && !cluster.prepareReading(resource, stepsAtOnce, query)) if (performance.now() > untilMs) return false;
  return true;
}
