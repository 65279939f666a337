/** Texts of YAML, read: documents with their places, and what they mean. */
import { LineCounter, parseAllDocuments, type Document } from 'yaml';
import type { JsonValue } from '../../engine/base/json.ts';
import { yamlRules } from './yaml-write.ts';

export interface YamlText {
  readonly documents: readonly Document.Parsed[];
  readonly lines: LineCounter;
}

/** Documents that are nothing but comments are left out. */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { ...yamlRules, lineCounter: lines, prettyErrors: false });
  const documents = Array.isArray(parsed) ? (parsed as readonly Document.Parsed[]) : [];
  return { documents: documents.filter(({ contents, errors }) => contents !== null || errors.length > 0), lines };
}

/** The value of a document; undefined where aliases make more of it than anybody can mean. */
export function valueOf(document: Document.Parsed): JsonValue | undefined {
  try {
    return document.toJS({ maxAliasCount: aliasesMax }) as JsonValue;
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

const aliasesMax = 100;
