/** Pages that somebody made to keep a proxy busy, or to break it. */
import { expect, it } from 'vitest';
import { type LinkPlace, proxiedHtml, proxiedLink } from './links.ts';

const place: LinkPlace = { prefix: '/p', hosts: ['10.0.0.1:80', 'localhost'] };

it.each([
  ['<a', '<a'],
  ['<a href="/x', '<a href="/x'],
  ['<a href=/x', '<a href=/x'],
  ['< a href="/x">', '< a href="/x">'],
  ['<a href="/x">', '<a href="/p/x">'],
  ["<a href='/x?a=\"'>", '<a href="/p/x?a=&#34;">'],
  ['<a href="/&#x78;&#0;&#99999999;">', '<a href="/p/x&amp;#0;&amp;#99999999;">'],
  ['<a href="//10.0.0.1:80/x">', '<a href="/p/x">'],
  ['<a href="//evil/x">', '<a href="//evil/x">'],
  ['<a href="javascript:alert(1)">', '<a href="javascript:alert(1)">'],
  ['<constructor href="/x">', '<constructor href="/x">'],
  ['<__proto__ href="/x">', '<__proto__ href="/x">'],
  ['<title><a href="/x"></title><a href="/x">', '<title><a href="/x"></title><a href="/p/x">'],
  ['<script>', '<script>'],
  ['<!-- <a href="/x">', '<!-- <a href="/x">'],
])('%s becomes %s', (html, want) => {
  expect(proxiedHtml(html, place)).toBe(want);
});

it('what goes up stays below the proxy, as a real one cleans it', () => {
  expect(proxiedLink('/../../x', place)).toBe('/x');
  expect(proxiedLink('/a//b/', place)).toBe('/p/a/b/');
});

it.each(['<a ', '<', '<a href="', '<!--', '<script>', '<a x=', '<a/', '<a b c d '])('a page of nothing but %s is one pass', (piece) => {
  const html = piece.repeat(200_000);
  expect(proxiedHtml(html, place).length).toBeGreaterThanOrEqual(html.length);
});
