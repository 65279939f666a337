/** Options of commands as commander gives them: camel-cased. */
import { CommandError } from '../command-error.ts';

export type Given = Readonly<Record<string, string | boolean | undefined>>;

export function given(options: Given, name: string): string | boolean | undefined {
  return options[name.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase())];
}

export function text(options: Given, name: string): string | undefined {
  const value = given(options, name);
  return typeof value === 'string' ? value : undefined;
}

export function isJson(options: Given): boolean {
  const value = text(options, 'output');
  if (value !== undefined && value !== 'json') throw new CommandError(`invalid value ${JSON.stringify(value)} for --output: expected json`);
  return value === 'json';
}
