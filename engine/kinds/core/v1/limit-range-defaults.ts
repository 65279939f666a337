/** Defaults of limit range items: container defaults follow max, requests follow limits, then min. Mirrors SetDefaults_LimitRangeItem. */
import type { LimitRangeItem } from '../../../api/core/v1/types.gen.ts';
import { edit } from '../../shared/defaulting.ts';
import { roundResourceList } from './container-defaults.ts';

type ResourceList = { readonly [name: string]: string };

const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

export function defaultLimitRangeItem(given: LimitRangeItem): LimitRangeItem {
  const item = lists.reduce((rounded, name) => (rounded[name] === undefined ? rounded : edit(rounded, name, roundResourceList)), given);
  if (item.type !== 'Container') return item;
  const limits = merged(item.default, item.max);
  const requests = merged(merged(item.defaultRequest, limits), item.min);
  if (limits === item.default && requests === item.defaultRequest) return item;
  return { ...item, ...(limits && { default: limits }), ...(requests && { defaultRequest: requests }) };
}

/** `list` and what only `more` has. */
function merged(list: ResourceList | undefined, more: ResourceList | undefined): ResourceList | undefined {
  const extra = Object.keys(more ?? {}).filter((name) => list?.[name] === undefined);
  if (extra.length === 0) return list;
  return Object.fromEntries(Object.entries({ ...more, ...list }).sort(([a], [b]) => (a < b ? -1 : 1)));
}
