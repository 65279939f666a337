/** What a request asks for, as the score names it. */
import type { Asked } from './reads.ts';

const patches: readonly (readonly [string, string])[] = [
  ['application/json-patch', 'json patch'],
  ['application/merge-patch', 'merge patch'],
  ['application/strategic-merge-patch', 'strategic patch'],
  ['application/apply-patch', 'apply'],
];

/** E.g. `create`, `apply status`, `watch`; a dry run says so. */
export function verbOf({ method, path, query, type, body }: Asked): string {
  const [, , ...places] = path.split('/');
  const below = places[0] === 'v1' ? places.slice(1) : places.slice(2);
  const inside = below[0] === 'namespaces' && below.length > 2 && !/^(status|finalize)$/.test(below[2] ?? '') ? below.slice(2) : below;
  const subresource = inside[2] === undefined ? '' : ` ${inside[2]}`;
  const isDry = method !== 'GET' && (query.includes('dryRun=All') || JSON.stringify(body ?? '').includes('"dryRun":["All"]'));
  return `${actOf(method, query, type, inside.length)}${subresource}${isDry ? ' (dry run)' : ''}`;
}

function actOf(method: string, query: string, type: string, depth: number): string {
  switch (method) {
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return patches.find(([start]) => type.startsWith(start))?.[1] ?? 'patch';
    case 'DELETE':
      return depth < 2 ? 'deletecollection' : 'delete';
    case 'GET':
      return /(^|&)watch=(true|1)/.test(query) ? 'watch' : depth < 2 ? 'list' : 'get';
    default:
      return method.toLowerCase();
  }
}
