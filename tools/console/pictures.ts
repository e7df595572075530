import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { repositoryRoot } from '../workspace/repository-root.js';
import { MadeUpServer } from './made-up-server.js';
import { shopPods } from './made-up-pods.js';

export interface Picture {
  readonly name: string;
  readonly hash: string;
  readonly colours: 'light' | 'dark';
  readonly height: number;
  /** Role and name of what must be seen on it. */
  readonly shows: readonly (readonly ['heading' | 'table' | 'treegrid' | 'list', string])[];
}

/** The pictures of the documentation. */
export const pictures: readonly Picture[] = [
  {
    name: 'node',
    hash: '#/',
    colours: 'light',
    height: 1180,
    shows: [
      ['heading', 'Pressure'],
      ['heading', 'Capacity'],
    ],
  },
  { name: 'pods', hash: '#/pods', colours: 'light', height: 1000, shows: [['table', 'Pods']] },
  {
    ...{ name: 'pod', hash: '#/pods/shop/checkout-7d9c5b4f6-lq8wn', colours: 'dark', height: 1180 },
    shows: [['heading', 'The way of the pod']],
  },
  { name: 'cgroups', hash: '#/cgroups', colours: 'dark', height: 620, shows: [['treegrid', 'Cgroups']] },
  { name: 'journal', hash: '#/journal', colours: 'light', height: 800, shows: [['list', 'Journal']] },
];

export const pictureFile = (name: string): string => path.join(repositoryRoot, 'docs/console', `${name}.png`);
/** Fixed, so that the same pages give the same pictures. */
const pictureTimeMs = Date.parse('2026-03-02T10:24:00Z');

/** Draws the pictures and gives each to `take`. */
export async function drawPictures(
  browser: Browser,
  take: (picture: Picture, png: Buffer) => Promise<void>,
): Promise<void> {
  const server = new MadeUpServer(shopPods(pictureTimeMs), () => pictureTimeMs);
  const url = await server.start();
  try {
    for (const picture of pictures) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: picture.height },
        ...{ colorScheme: picture.colours, timezoneId: 'UTC', locale: 'en-GB', reducedMotion: 'reduce' },
      });
      const page = await context.newPage();
      await page.clock.setFixedTime(pictureTimeMs);
      await page.goto(`${url}${picture.hash}`);
      for (const [role, name] of picture.shows) await page.getByRole(role, { name }).first().waitFor();
      await page.evaluate('document.fonts.ready.then(() => undefined)');
      await take(picture, await page.screenshot());
      await context.close();
    }
  } finally {
    await server.stop();
  }
}

export async function ensurePictureFolder(): Promise<void> {
  await mkdir(path.dirname(pictureFile('node')), { recursive: true });
}
