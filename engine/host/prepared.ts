/**
 * What a first reading has to do of all that is there (hundreds of milliseconds with 150,000 pods) is done before the page reads, a slice at a time,
 * so that neither the cluster nor another client waits for it in one piece.
 */
import { simGroup } from '../history/virtual-kind.ts';

interface ReadBranch {
  readonly cluster: { prepareReading(plural: string, most: number): boolean };
  readonly failure: Error | undefined;
}

const sliceMs = 4;
const stepsAtOnce = 200;
const resourceInPath = new RegExp(`^(?:/branches/[^/]+)?/apis/${simGroup.replaceAll('.', '\\.')}/[^/]+/(?:namespaces/[^/]+/)?([^/?]+)`);

/** Resolves when the resource that a path names is quick to read; undefined where it is. */
export function prepared(branch: ReadBranch, path: string): Promise<void> | undefined {
  const resource = resourceInPath.exec(path)?.[1];
  return resource === undefined || prepareSome(branch, resource) ? undefined : goOn(branch, resource);
}

async function goOn(branch: ReadBranch, resource: string): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (!prepareSome(branch, resource));
}

function prepareSome({ cluster, failure }: ReadBranch, resource: string): boolean {
  const untilMs = performance.now() + sliceMs;
  while (failure === undefined && !cluster.prepareReading(resource, stepsAtOnce)) if (performance.now() > untilMs) return false;
  return true;
}
