/** A real Chromium for the page's tests; where none is installed the tests say so and are skipped. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';

/** Undefined where none is installed. */
export const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', process.env['CHROMIUM'] ?? ''].find(
  (path) => path !== '' && existsSync(path),
);
const pageBuilt = existsSync(fileURLToPath(new URL('../../dist/renderer/index.html', import.meta.url)));
const reason =
  executablePath === undefined
    ? 'no Chromium is installed (set CHROMIUM to one)'
    : pageBuilt
      ? ''
      : 'the renderer is not built (npm start builds it)';

export const available = reason === '';
if (!available) console.log(`e2e skipped: ${reason}`);

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A page that remembers what went wrong in it. */
export async function openPage(
  browser: Browser,
  url: string,
  options: { readonly colorScheme?: 'light' | 'dark'; readonly width?: number; readonly height?: number } = {},
): Promise<{ readonly page: Page; readonly problems: string[] }> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.colorScheme ?? 'light',
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(url);
  return { page, problems };
}
