/** An Event as a mark on the row that it is about. */
import type { Event } from '../api/core/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { SharedTexts } from '../base/shared-values.ts';
import { flat } from '../base/text.ts';
import type { Change } from '../store/store.ts';
import type { Mark, MarkType } from './marks.ts';

export function eventMark(event: Event, type: MarkType, { revision, meta }: Change<KubeObject>, texts: SharedTexts): Mark {
  const count = event.series?.count ?? event.count ?? 1;
  const text = flat([event.reason ?? '', ': ', event.message ?? '', count > 1 ? ` (×${count})` : '']);
  const level = event.type === 'Warning' ? 'Warning' : 'Normal';
  return { ms: meta.virtualMs, type, revision, text: texts.one(text), level, by: meta.identity };
}
