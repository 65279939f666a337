/** What the cells mean. */
const cells = [
  ['Pending', 'hollow', 'pending'],
  ['Starting', 'half', 'running'],
  ['Ready', '', 'running'],
  ['Not ready', 'barred', 'failed'],
  ['Crash loop, image, no room', 'warning', 'failed'],
  ['Succeeded', 'tick', 'succeeded'],
  ['Failed', 'cross', 'failed'],
  ['Terminating', 'striped', 'terminating'],
] as const;
const signs: Readonly<Record<string, string>> = { tick: '✓', cross: '✕', warning: '▲' };

export function PodLegend() {
  return (
    <div className="legend" aria-hidden>
      {cells.map(([name, shape, token]) => (
        <span key={name} className={`state-${token}`}>
          {signs[shape] ? <b>{signs[shape]}</b> : <i className={shape} />}
          {name}
        </span>
      ))}
    </div>
  );
}
