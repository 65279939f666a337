/** The chain of causes of the last change, newest first. Links select the objects. */
import { CircleDot, Clock, HeartOff, Keyboard, PencilLine, Zap } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { CauseChain, CauseLink } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { ApiError, isAbort, messageOf, request } from '../../api/request.ts';
import { Empty } from '../../components/Empty.tsx';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { formatActor } from '../../lib/format.ts';
import { useNavigation } from '../../state/navigation.ts';
import { useWhen } from '../../state/use-when.ts';
import { shorten } from '../../lib/shorten.ts';
import { texts } from '../../texts/texts.ts';
import { NowBadge } from '../OfNow.tsx';
import { goToChange } from './use-change-keys.ts';

const words = texts.frame.why;
const textMax = 1000;
/** As the recorder of history has it. */
const unnoted = /^(events|events\.events\.k8s\.io|leases\.coordination\.k8s\.io)\//;

const signs = { write: PencilLine, timer: Clock, input: Keyboard, silence: HeartOff, fault: Zap, other: CircleDot } as const;

interface Props {
  readonly id: string;
  readonly revision: string;
  /** The change to tell the causes of; undefined: the last one. */
  readonly change: number | undefined;
}

export function WhyTab({ id, revision, change }: Props) {
  const when = useWhen();
  const select = useNavigation((state) => state.select);
  /** To the change where it is known, else to the object. */
  const follow = ({ object = '', revision }: CauseLink) => (revision === undefined ? select(object) : goToChange(object, revision));
  const [answer, setAnswer] = useState<{ links: readonly CauseLink[] | undefined; error: string }>({ links: undefined, error: '' });
  const isNoted = change !== undefined || !unnoted.test(id);
  useEffect(() => {
    if (!isNoted) {
      setAnswer({ links: [], error: '' });
      return undefined;
    }
    const abort = new AbortController();
    const of = change === undefined ? `of?object=${encodeURIComponent(id)}` : String(change);
    request<CauseChain>(`/apis/sim.wavetank.dev/v1alpha1/causechains/${of}`, { signal: abort.signal }).then(
      ({ links }) => setAnswer({ links, error: '' }),
      (error: unknown) => {
        // Nothing is wrong: history has no changes of it any more.
        const isForgotten = error instanceof ApiError && error.code === 404;
        if (!isAbort(error)) setAnswer(isForgotten ? { links: [], error: '' } : { links: undefined, error: messageOf(error) });
      },
    );
    return () => abort.abort();
  }, [id, change === undefined ? revision : change]);
  if (answer.error) return <ErrorBox title={words.cannotRead} detail={answer.error} />;
  if (!answer.links) return null;
  if (answer.links.length === 0) return <Empty title={words.none}>{isNoted ? words.noneText : words.neverNoted}</Empty>;
  return (
    <section className="section">
      <h2 className="small-title">
        {change === undefined ? words.last : words.change(change)} {change === undefined ? <NowBadge /> : null}
      </h2>
      <ol className="chain">
        {answer.links.map((link, index) => {
          const Sign = signs[link.type];
          return (
            <li key={index}>
              <Sign size={15} aria-label={link.type} color="var(--text-muted)" style={{ marginTop: 2 }} />
              <div>
                <div>
                  {link.object && (link.object !== id || link.revision !== undefined) ? (
                    // The word before it is in the button: a button begins a line of its own where it does not fit behind it.
                    <button type="button" className="link" onClick={() => follow(link)}>
                      <Because isShown={index > 0} />
                      {shorten(link.text, textMax)}
                    </button>
                  ) : (
                    <>
                      <Because isShown={index > 0} />
                      {shorten(link.text, textMax)}
                    </>
                  )}
                </div>
                <div className="muted dense">
                  {link.ms === undefined ? '' : when(link.ms, true)}
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

function Because({ isShown }: { readonly isShown: boolean }) {
  return isShown ? <span className="muted">{words.because} </span> : null;
}
