/**
 * Links in what a proxied server answers lead through the proxy too: its Location, and in HTML what attributes of elements name. Text
 * between tags stays byte by byte; a tag is written anew as Go's parser of HTML writes it. Mirrors apimachinery pkg/util/proxy/transport.go.
 */
import { getOwn } from '../../base/dictionary.ts';
import { unescape } from './html-entities.ts';

export interface LinkPlace {
  /** What stands before the server's own paths in the path that was asked for. */
  readonly prefix: string;
  /** The server's address, and the one that the client asked by. */
  readonly hosts: readonly [server: string, asked: string];
}

const uriAttributes: { readonly [tag: string]: readonly string[] } = {
  a: ['href'],
  applet: ['codebase'],
  area: ['href'],
  audio: ['src'],
  base: ['href'],
  blockquote: ['cite'],
  body: ['background'],
  button: ['formaction'],
  command: ['icon'],
  del: ['cite'],
  embed: ['src'],
  form: ['action'],
  frame: ['longdesc', 'src'],
  head: ['profile'],
  html: ['manifest'],
  iframe: ['longdesc', 'src'],
  img: ['longdesc', 'src', 'usemap'],
  input: ['src', 'usemap', 'formaction'],
  ins: ['cite'],
  link: ['href'],
  object: ['classid', 'codebase', 'data', 'usemap'],
  q: ['cite'],
  script: ['src'],
  source: ['src'],
  video: ['poster', 'src'],
};

/** What stands between these is no markup. */
const rawElements: ReadonlySet<string> = new Set([
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'plaintext',
  'script',
  'style',
  'title',
  'textarea',
  'xmp',
]);

/** A link that is absolute on the server's host is led through the proxy; others stay as they are. */
export function proxiedLink(link: string, { prefix, hosts: [server, asked] }: LinkPlace): string {
  const [, scheme = '', host = '', path = '', rest = ''] = /^([a-z][a-z0-9+.-]*:)?(?:\/\/([^/?#]*))?([^?#]*)([^]*)$/i.exec(link) ?? [];
  if ((host !== '' && host !== server && host !== asked) || !path.startsWith('/')) return link;
  const before = host !== '' && host === asked ? `${scheme}//${host}` : '';
  if (path.startsWith(prefix)) return `${before}${path}${rest}`;
  const cleaned = cleanPath(`${prefix}/${path}`);
  return `${before}${cleaned}${path.endsWith('/') && !cleaned.endsWith('/') ? '/' : ''}${rest}`;
}

/** As Go's path.Clean; absolute paths only. */
export function cleanPath(path: string): string {
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') kept.pop();
    else if (part !== '' && part !== '.') kept.push(part);
  }
  return `/${kept.join('/')}`;
}

/** One pass over the text. */
export function proxiedHtml(html: string, place: LinkPlace): string {
  const out: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      if (end < 0) break;
      out.push(html.slice(at, end + 3));
      at = end + 3;
      continue;
    }
    const name = isLetter(html, open + 1) ? nameAt(html, open + 1) : '';
    if (name === '') {
      out.push(html.slice(at, open + 1));
      at = open + 1;
      continue;
    }
    const tag = readTag(html, open + 1 + name.length);
    if (tag === undefined) break;
    const lower = name.toLowerCase();
    out.push(html.slice(at, open), writeTag(lower, tag, place));
    at = tag.end;
    if (rawElements.has(lower) && !tag.isClosed) {
      const close = rawEnd(html, at, lower);
      out.push(html.slice(at, close));
      at = close;
    }
  }
  out.push(html.slice(at));
  return out.join('');
}

interface Tag {
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly isClosed: boolean;
  /** Behind its `>`. */
  readonly end: number;
}

const space = /[ \t\n\r\f]/;

function isLetter(text: string, at: number): boolean {
  return /^[a-z]$/i.test(text[at] ?? '');
}

function nameAt(text: string, from: number): string {
  let at = from;
  while (at < text.length && !space.test(text[at] as string) && text[at] !== '/' && text[at] !== '>') at++;
  return text.slice(from, at);
}

/** Undefined where the text ends before the tag does. */
function readTag(html: string, from: number): Tag | undefined {
  const attributes: [string, string][] = [];
  let at = from;
  for (;;) {
    while (at < html.length && space.test(html[at] as string)) at++;
    if (at >= html.length) return undefined;
    if (html[at] === '>') return { attributes, isClosed: html[at - 1] === '/', end: at + 1 };
    if (html[at] === '/') {
      at++;
      continue;
    }
    const start = at;
    at++;
    while (at < html.length && !space.test(html[at] as string) && html[at] !== '=' && html[at] !== '>' && html[at] !== '/') at++;
    const name = html.slice(start, at).toLowerCase();
    while (at < html.length && space.test(html[at] as string)) at++;
    const value = html[at] === '=' ? readValue(html, at + 1) : { text: '', end: at };
    if (value === undefined) return undefined;
    at = value.end;
    attributes.push([name, unescape(value.text)]);
  }
}

function readValue(html: string, from: number): { readonly text: string; readonly end: number } | undefined {
  let at = from;
  while (at < html.length && space.test(html[at] as string)) at++;
  const quote = html[at];
  if (quote === '"' || quote === "'") {
    const end = html.indexOf(quote, at + 1);
    return end < 0 ? undefined : { text: html.slice(at + 1, end), end: end + 1 };
  }
  const start = at;
  while (at < html.length && !space.test(html[at] as string) && html[at] !== '>') at++;
  return at >= html.length ? undefined : { text: html.slice(start, at), end: at };
}

function writeTag(name: string, { attributes, isClosed }: Tag, place: LinkPlace): string {
  const links = getOwn(uriAttributes, name) ?? [];
  const written = attributes.map(([key, value]) => ` ${key}="${escape(links.includes(key) ? proxiedLink(value, place) : value)}"`);
  return `<${name}${written.join('')}${isClosed ? '/' : ''}>`;
}

const escapes: { readonly [char: string]: string } = { '&': '&amp;', "'": '&#39;', '<': '&lt;', '>': '&gt;', '"': '&#34;', '\r': '&#13;' };

function escape(text: string): string {
  return text.replace(/[&'<>"\r]/g, (char) => getOwn(escapes, char) ?? char);
}

/** Where the text of an element ends that holds no markup. */
function rawEnd(html: string, from: number, name: string): number {
  if (name === 'plaintext') return html.length;
  const end = new RegExp(`</${name}[ \\t\\n\\r\\f/>]`, 'gi');
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}
