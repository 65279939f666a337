/** Nodes alike as rows; plugins as columns: who turned them away, or what each gave them. */
import type { MatrixGroup, MatrixStatus } from '../../../../engine/api/sim/v1alpha1/scheduling-matrix.ts';
import { shorten } from '../../../lib/shorten.ts';
import { texts } from '../../../texts/texts.ts';

const words = texts.matrix;
const namesShown = 3;
const reasonMax = 300;

interface Props {
  readonly matrix: MatrixStatus;
  readonly asked: string;
  readonly onAsk: (node: string) => void;
}

export function MatrixTable({ matrix, asked, onAsk }: Props) {
  const { groups, plugins, weights } = matrix;
  return (
    <div className="matrix" tabIndex={0} role="region" aria-label={words.label}>
      <table className="table">
        <thead>
          <tr>
            <th>{words.nodes}</th>
            <th>{words.verdict}</th>
            {plugins.map((plugin, column) => (
              <th key={plugin} className="number" title={plugin}>
                {short(plugin)} <span className="muted">{words.weight(weights[column] ?? 1)}</span>
                <span className="sr-only">{plugin}</span>
              </th>
            ))}
            {plugins.length > 0 ? <th className="number">{words.total}</th> : null}
          </tr>
        </thead>
        <tbody>
          {groups.map((group, index) => (
            <tr key={index} className={group.nodes.includes(asked) ? 'is-selected' : ''}>
              <td>
                <Names group={group} onAsk={onAsk} />
              </td>
              <Cells group={group} plugins={plugins} weights={weights} />
            </tr>
          ))}
        </tbody>
      </table>
      {plugins.length > 0 ? (
        <p className="muted dense legend-of-plugins">{plugins.map((plugin) => words.shortFor(short(plugin), plugin)).join(' · ')}</p>
      ) : null}
    </div>
  );
}

function Names({ group: { nodes, count }, onAsk }: { readonly group: MatrixGroup; readonly onAsk: (node: string) => void }) {
  const shown = nodes.slice(0, namesShown);
  if (shown.length === 0) return words.unnamed(count);
  return (
    <span className="names">
      {shown.map((node) => (
        <button key={node} type="button" className="link mono" title={words.pick(node)} onClick={() => onAsk(node)}>
          {shorten(node, 80)}
        </button>
      ))}
      {count > shown.length ? <span className="muted">{words.others(count - shown.length)}</span> : null}
    </span>
  );
}

function Cells({ group, plugins, weights }: { readonly group: MatrixGroup } & Pick<MatrixStatus, 'plugins' | 'weights'>) {
  const { verdict, plugin, reasons = [], values, raw, total } = group;
  if (verdict === 'Filtered')
    return (
      <td colSpan={plugins.length > 0 ? plugins.length + 2 : 1}>
        <span className="bad">{'✕'}</span> <strong>{plugin}</strong>
        {words.reasons(shorten(reasons.join('; '), reasonMax))}
      </td>
    );
  return (
    <>
      <td className="tight">
        <span className={verdict === 'Chosen' ? 'good' : 'muted'}>{verdict === 'Chosen' ? '✓' : '○'}</span> {words.verdicts[verdict]}
      </td>
      {plugins.map((one, column) => (
        <td key={one} className="number" title={titleOf(values?.[column], raw?.[column], weights[column] ?? 1)}>
          {values?.[column] === undefined ? '' : Math.round(values[column])}
          <Raw value={values?.[column]} raw={raw?.[column]} weight={weights[column] ?? 1} />
        </td>
      ))}
      {plugins.length > 0 ? <td className="number">{total === undefined ? '' : <strong>{Math.round(total)}</strong>}</td> : null}
    </>
  );
}

interface Score {
  readonly value: number | undefined;
  readonly raw: number | undefined;
  readonly weight: number;
}

/** What the plugin said itself, where normalising made something else of it. */
function Raw({ value, raw, weight }: Score) {
  if (value === undefined || raw === undefined || raw * weight === value) return null;
  return <span className="muted">{words.raw(raw)}</span>;
}

function titleOf(value: number | undefined, raw: number | undefined, weight: number): string | undefined {
  return value === undefined ? undefined : words.cell(raw, value / weight, weight);
}

/** Capitals tell plugins apart where there is little room. */
function short(plugin: string): string {
  return plugin.replace(/[^A-Z]/g, '') || shorten(plugin, 12);
}
