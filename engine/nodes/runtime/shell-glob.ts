/** Words that are patterns of paths become those paths that are there. */
import type { CommandContext } from './shell-commands.ts';
import { folderNames, fullPath, isFolder, normalPath, readFile } from './shell-files.ts';
import { matchesPattern } from './shell-patterns.ts';

/** In order; none where nothing matches. */
export function pathsOf(pattern: string, context: CommandContext): readonly string[] {
  let found: readonly string[] = [pattern.startsWith('/') ? '/' : ''];
  const parts = pattern.split('/').filter((part) => part !== '');
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const files = Object.keys(context.host.files).length;
    context.budget.product(found.length, files);
    found = found.flatMap((place) => {
      const names = isLiteral(part) ? [part.replaceAll(/\\([^])/g, '$1')] : matching(place, part, context);
      const paths = names.map((name) => (place === '' || place.endsWith('/') ? `${place}${name}` : `${place}/${name}`));
      return paths.filter((path) => isThere(path, isLast && !pattern.endsWith('/'), context));
    });
  }
  const wanted = pattern.endsWith('/') ? found.map((path) => `${path}/`) : found;
  return parts.length === 0 ? [] : [...wanted].sort();
}

function isLiteral(part: string): boolean {
  return !/[*?[]/.test(part.replaceAll(/\\[^]/g, ''));
}

/** What begins with a dot is only found by a pattern that does. */
function matching(place: string, part: string, context: CommandContext): readonly string[] {
  const names = folderNames(normalPath(fullPath(place === '' ? '.' : place, context)), context);
  const showsHidden = part.startsWith('.') || part.startsWith('\\.');
  return names.filter((name) => (showsHidden || !name.startsWith('.')) && matchesPattern(name, part, context.budget));
}

function isThere(path: string, mayBeFile: boolean, context: CommandContext): boolean {
  return isFolder(path, context) || (mayBeFile && readFile(path, context) !== undefined);
}
