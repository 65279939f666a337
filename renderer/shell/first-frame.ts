/** The frame as the document brings it along, before any script has run: the same places and words, in which nothing can be pressed yet. */
import { views } from '../state/address.ts';
import { texts } from '../texts/texts.ts';

/** Takes the room of an icon. */
const room = (size: number): string => `<svg width="${size}" height="${size}"></svg>`;

export function firstFrame(): string {
  const ways = views.map((view) => `<span class="nav-item">${room(16)}<span class="name">${texts.frame.views[view]}</span></span>`);
  return [
    '<div class="app" aria-busy="true">',
    `<div class="timebar"><div class="brand">${room(18)}<span class="name">${texts.clock.brand}</span></div></div>`,
    '<div class="overview"></div>',
    `<div class="nav">${ways.join('')}</div>`,
    '</div>',
  ].join('');
}
