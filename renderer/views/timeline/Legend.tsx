/** What the bars mean. */
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
