/** Defaults of limit range items: container defaults follow max, requests follow limits, then min. Mirrors SetDefaults_LimitRangeItem. */
import type { LimitRangeItem } from '../../../api/core/v1/types.gen.ts';

type ResourceList = { readonly [name: string]: string };

export function defaultLimitRangeItem(item: LimitRangeItem): LimitRangeItem {
  if (item.type !== 'Container') return item;
  const limits = merged(item.default, item.max);
  const requests = merged(merged(item.defaultRequest, limits), item.min);
  if (limits === item.default && requests === item.defaultRequest) return item;
  return { ...item, default: limits, defaultRequest: requests };
}

/** `list` and what only `more` has. */
function merged(list: ResourceList | undefined, more: ResourceList | undefined): ResourceList {
  const extra = Object.keys(more ?? {}).filter((name) => list?.[name] === undefined);
  if (list !== undefined && extra.length === 0) return list;
  return Object.fromEntries(Object.entries({ ...more, ...list }).sort(([a], [b]) => (a < b ? -1 : 1)));
}
