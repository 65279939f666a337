/** Where the fields stand that an API server refused: its answer names them, people look for them in their text. */
import { isMap, isScalar, isSeq, LineCounter, type Node as YamlNode } from 'yaml';
import type { ApiError } from '../api/request.ts';
import type { Finding, Manifest } from './check-text.ts';
import type { FieldPath } from './changes.ts';
import { readYaml } from './yaml-text.ts';

interface Refused {
  readonly path: FieldPath;
  readonly text: string;
}

const findingsMax = 20;

/** At the field itself, or at the nearest one above it that the text has; `text` is the whole that the manifest stands in. */
export function refusedFields(error: ApiError, manifest: Manifest, text: string): readonly Finding[] {
  const [document] = readYaml(manifest.text).documents;
  if (!document) return [];
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  return refusedOf(error)
    .slice(0, findingsMax)
    .map(({ path, text: said }): Finding => {
      const [from, to] = placeOf(document.contents, path);
      const place = { from: manifest.from + from, to: manifest.from + to };
      return { level: 'error', text: said, ...place, line: lines.linePos(place.from).line };
    });
}

/** Fields that the kind does not have, and values of other types, are named in sentences alone. */
function refusedOf({ causes, message }: ApiError): readonly Refused[] {
  if (causes.length === 0) return mentionedIn(message);
  return causes.flatMap(({ field = '', message: said = '' }) =>
    field === '' || field === 'patch' ? mentionedIn(said) : [{ path: pathOf(field), text: `${field}: ${said}` }],
  );
}

function mentionedIn(message: string): readonly Refused[] {
  const strict = [...message.matchAll(/(?:unknown|duplicate) field "([^"]+)"/g)].map(([said, field = '']) => ({ path: pathOf(field), text: said }));
  const typed = [...message.matchAll(/cannot unmarshal (\S+) into Go struct field \w+\.(\S+) of type (\S+)/g)].map(([said, , field = '']) => ({
    path: pathOf(field),
    text: said,
  }));
  return [...strict, ...typed];
}

/** `spec.containers[0].image`, `metadata.labels[example.com/a]`, `metadata.labels.example.com/a`: the last is found by trying. */
export function pathOf(field: string): FieldPath {
  return [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, bracketed, plain = '']) =>
    bracketed === undefined ? plain : /^\d+$/.test(bracketed) ? Number(bracketed) : bracketed.replace(/^"(.*)"$/, '$1'),
  );
}

/** From and to, in characters of the document. */
function placeOf(contents: unknown, path: FieldPath): readonly [number, number] {
  let node = contents as YamlNode | null | undefined;
  let place: readonly [number, number] = [node?.range?.[0] ?? 0, (node?.range?.[0] ?? 0) + 1];
  for (let depth = 0; depth < path.length; ) {
    const next = step(node, path, depth);
    if (next === undefined) break;
    place = next.place;
    node = next.value;
    depth = next.depth;
  }
  return place;
}

interface Step {
  readonly place: readonly [number, number];
  readonly value: YamlNode | null | undefined;
  readonly depth: number;
}

/** Keys with dots in them are several parts of the path. */
function step(node: YamlNode | null | undefined, path: FieldPath, depth: number): Step | undefined {
  const part = path[depth];
  if (isSeq<YamlNode>(node) && typeof part === 'number') {
    const item = node.items[part];
    return item?.range ? { place: [item.range[0], item.range[1]], value: item, depth: depth + 1 } : undefined;
  }
  if (!isMap<YamlNode, YamlNode | null>(node)) return undefined;
  for (let until = path.length; until > depth; until--) {
    const name = path.slice(depth, until).join('.');
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
    if (pair?.key.range) return { place: [pair.key.range[0], pair.value?.range?.[1] ?? pair.key.range[1]], value: pair.value, depth: until };
  }
  return undefined;
}
