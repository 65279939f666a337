/** The chain of causes of the last change, newest first. Links select the objects. */
import { CircleDot, Clock, HeartOff, Keyboard, PencilLine, Zap } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { CauseChain, CauseLink } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { isAbort, messageOf, request } from '../../api/request.ts';
import { Empty } from '../../components/Empty.tsx';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { formatActor, formatTime } from '../../lib/format.ts';
import { useNavigation } from '../../state/navigation.ts';

const signs = { write: PencilLine, timer: Clock, input: Keyboard, silence: HeartOff, fault: Zap, other: CircleDot } as const;

export function WhyTab({ id, revision }: { readonly id: string; readonly revision: string }) {
  const select = useNavigation((state) => state.select);
  const [answer, setAnswer] = useState<{ links: readonly CauseLink[] | undefined; error: string }>({ links: undefined, error: '' });
  useEffect(() => {
    const abort = new AbortController();
    request<CauseChain>(`/apis/sim.wavetank.dev/v1alpha1/causechains/of?object=${encodeURIComponent(id)}`, { signal: abort.signal }).then(
      ({ links }) => setAnswer({ links, error: '' }),
      (error: unknown) => {
        if (!isAbort(error)) setAnswer({ links: undefined, error: messageOf(error) });
      },
    );
    return () => abort.abort();
  }, [id, revision]);
  if (answer.error) return <ErrorBox title="The causes cannot be read" detail={answer.error} />;
  if (!answer.links) return null;
  if (answer.links.length === 0) return <Empty title="No recorded cause">The last change is older than the history that is kept.</Empty>;
  return (
    <section className="section">
      <h2 className="small-title">Why it changed last</h2>
      <ol className="chain">
        {answer.links.map((link, index) => {
          const Sign = signs[link.type];
          return (
            <li key={index}>
              <Sign size={15} aria-label={link.type} color="var(--text-muted)" style={{ marginTop: 2 }} />
              <div>
                <div>
                  {index > 0 ? <span className="muted">because </span> : null}
                  {link.object && link.object !== id ? (
                    <button type="button" className="link" onClick={() => select(link.object ?? '')}>
                      {link.text}
                    </button>
                  ) : (
                    link.text
                  )}
                </div>
                <div className="muted dense">
                  {link.ms === undefined ? '' : formatTime(link.ms, true)}
                  {link.by ? ` · ${formatActor(link.by)}` : ''}
                  {link.revision === undefined ? '' : ` · revision ${link.revision}`}
                </div>
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
