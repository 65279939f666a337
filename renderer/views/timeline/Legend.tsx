/** What the bars and areas mean. */
import { texts } from '../../texts/texts.ts';

const states = [
  ['Pending', 'hollow', 'pending'],
  ['Running', '', 'running'],
  ['Succeeded', '', 'succeeded'],
  ['Failed', '', 'failed'],
  ['Unknown', 'striped', 'unknown'],
] as const;

export function Legend() {
  return (
    <div className="legend" aria-hidden>
      {(['short', 'surge', 'level'] as const).map((shape) => (
        <span key={shape}>
          <i className={shape} />
          {texts.timeline.legend[shape === 'level' ? 'ready' : shape]}
        </span>
      ))}
      {states.map(([name, shape, token]) => (
        <span key={name}>
          <i className={shape} style={{ '--c': `var(--state-${token})` } as React.CSSProperties} />
          {name === 'Succeeded' ? '✓ ' : name === 'Failed' ? '✕ ' : ''}
          {name}
        </span>
      ))}
    </div>
  );
}
