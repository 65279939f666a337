/** A small curve of steps over the visible range; its layers stand on each other. */
export interface Layer {
  readonly values: readonly number[];
  readonly tone: 'plain' | 'good' | 'soft' | 'bad' | 'warn';
}

const width = 48;
const height = 18;

interface Props {
  readonly layers: readonly Layer[];
  readonly label: string;
  /** How much of the range has been, 0 to 1: what lies ahead is not drawn. */
  readonly known: number;
  /** Nothing but its base: the first to go where there is little room. */
  readonly isFlat?: boolean;
}

export function Sparkline({ layers: all, label, known, isFlat }: Props) {
  const whole = Math.max(0, ...all.map(({ values }) => values.length));
  const parts = Math.ceil(whole * Math.min(1, Math.max(0, known)));
  // One that is not known is none, and not nought.
  const layers = all.filter(({ values }) => values.length > 0).map(({ values, tone }) => ({ tone, values: values.slice(0, parts) }));
  if (parts === 0) return <span className="sparkline" aria-hidden />;
  const sums = Array.from({ length: parts }, (_, part) => layers.reduce((sum, { values }) => sum + (values[part] ?? 0), 0));
  const most = Math.max(1, ...sums);
  const base = new Array<number>(parts).fill(0);
  return (
    <svg
      className={`sparkline ${isFlat ? 'is-flat' : ''}`}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      {layers.map(({ values, tone }, index) => {
        const path = areaOf(values, base, most, width / whole);
        values.forEach((value, part) => {
          base[part] = (base[part] ?? 0) + value;
        });
        return <path key={index} className={`tone-${tone}`} d={path} />;
      })}
    </svg>
  );
}

/** From each part to the next in a step: what was counted did not change between. */
function areaOf(values: readonly number[], base: readonly number[], most: number, step: number): string {
  const y = (value: number): string => (height - 1 - (value / most) * (height - 2)).toFixed(1);
  const x = (part: number): string => (part * step).toFixed(1);
  const over = values.map((value, part) => `L${x(part)} ${y((base[part] ?? 0) + value)}L${x(part + 1)} ${y((base[part] ?? 0) + value)}`);
  const under = base.map((value, part) => `L${x(part + 1)} ${y(value)}L${x(part)} ${y(value)}`).reverse();
  return `M0 ${y(base[0] ?? 0)}${over.join('')}${under.join('')}Z`;
}
