import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { labSupport } from '@podwright/lab';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { main, podManifest } from '../acceptance/pod-manifests.js';
import { useLab } from '../acceptance/test-lab.js';
import { untilHolds, waitFor } from '../acceptance/wait-for.js';
import { startBrowser } from './browser.js';
import { hostilePageOf, hostilePods, hostileTexts } from './hostile-pods.js';
import { manyPods, shopPods } from './made-up-pods.js';
import { MadeUpServer } from './made-up-server.js';
import { drawPictures, pictureFile, pictures } from './pictures.js';
import { accessibilityFaults, openPage, type WatchedPage } from './watched-page.js';

const pod = '#/pods/shop/checkout-7d9c5b4f6-lq8wn';
/** Each view, and what is there when it has its data. */
const views = [
  ['#/', 'heading', 'Pressure'],
  ['#/pods', 'table', 'Pods'],
  [pod, 'heading', 'The way of the pod'],
  ['#/cgroups', 'treegrid', 'Cgroups'],
  ['#/images', 'heading', 'On the node'],
  ['#/journal', 'list', 'Journal'],
] as const;

/** What a person sees of those with letters that are not seen. */
const visible: Readonly<Record<string, string>> = {
  [hostileTexts.rightToLeft]: '⟨U+202E⟩שלום⟨U+202C⟩-مرحبا',
  [hostileTexts.control]: 'a⟨U+0000⟩b⟨U+0007⟩c⟨U+001B⟩[31md⟨U+000A⟩e⟨U+200B⟩f',
};

describe('the console in a browser', () => {
  const shop = new MadeUpServer(shopPods(Date.now()), Date.now);
  let browser: Browser;
  let url: string;
  let watched: WatchedPage[] = [];

  beforeAll(async () => {
    browser = await startBrowser(() => undefined);
    url = await shop.start();
  });
  afterAll(async () => {
    await browser.close();
    await shop.stop();
  });
  afterEach(async () => {
    const opened = watched;
    watched = [];
    const faults = await Promise.all(opened.map((each) => each.faults()));
    await Promise.all(opened.map((each) => each.close()));
    expect(faults.flat()).toEqual([]);
  });

  async function open(hash: string, options: BrowserContextOptions = {}, base = url): Promise<Page> {
    const opened = await openPage(browser, `${base}${hash}`, options);
    watched.push(opened);
    return opened.page;
  }

  it.each([
    ['light', undefined],
    // What else axe finds does not depend on colours.
    ['dark', ['color-contrast', 'link-in-text-block']],
  ] as const)('has no fault in accessibility in %s', async (colorScheme, rules) => {
    const page = await open('#/', { colorScheme });
    for (const [hash, role, name] of views) {
      await page.goto(`${url}${hash}`);
      await page.getByRole(role, { name }).first().waitFor();
      expect({ hash, faults: await accessibilityFaults(page, rules) }).toEqual({ hash, faults: [] });
    }
  });

  it('is drawn as the pictures of the documentation show', async () => {
    const drawn: Record<string, string> = {};
    await drawPictures(browser, async ({ name }, png) => {
      drawn[name] = sizeOf(png);
    });
    const kept = pictures.map(({ name }) => pictureFile(name));
    expect(kept.filter((file) => !existsSync(file))).toEqual([]);
    expect(pictures.map(({ name }) => [name, sizeOf(readFileSync(pictureFile(name)))])).toEqual(Object.entries(drawn));
  });

  it('shows what comes from pods as text and nothing else', async () => {
    const server = new MadeUpServer(hostilePods(Date.now()), Date.now, { pageOf: hostilePageOf });
    const base = await server.start();
    try {
      const page = await open('#/', {}, base);
      const pages = Object.values(hostileTexts).map(
        (text) =>
          [`#/pods/${encodeURIComponent(text)}/${encodeURIComponent(text)}`, 'heading', visible[text] ?? text] as const,
      );
      for (const [hash, role, name] of [...views.filter(([hash]) => hash !== pod), ...pages]) {
        await page.goto(`${base}${hash}`);
        await page.getByRole(role, { name }).first().waitFor();
        const made = await page.evaluate(
          'document.querySelectorAll("body img, body script, body b[onmouseover]").length',
        );
        const tooWide = await page.evaluate(
          'document.documentElement.scrollWidth > document.documentElement.clientWidth',
        );
        expect({ hash, made, tooWide }).toEqual({ hash, made: 0, tooWide: false });
        const text = String(await page.evaluate('document.body.innerText'));
        expect(text).not.toContain('\u202E');
      }
      await page.goto(`${base}#/pods`);
      const shown = Object.values(hostileTexts).map((text) => visible[text] ?? text);
      await untilHolds(async () => {
        const names = await page.locator('.lane-pod .pod-name > bdi').allTextContents();
        expect(names.sort()).toEqual([...shown].sort());
      });
    } finally {
      await server.stop();
    }
  });

  it('works with the keyboard alone', async () => {
    const page = await open('#/pods');
    const focused = (): Promise<string> =>
      page.evaluate('document.activeElement.innerText || document.activeElement.tagName');
    await page.keyboard.press('Tab');
    await untilHolds(async () => expect(await focused()).toBe('Skip to content'));
    await page.keyboard.press('Enter');
    await untilHolds(async () => expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN'));
    const links = page.locator('.lane-pod a');
    await links.first().focus();
    await page.keyboard.press('ArrowDown');
    const second = await links.nth(1).innerText();
    await untilHolds(async () => expect(await focused()).toBe(second));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The way of the pod' }).waitFor();
    await untilHolds(async () => expect(await page.title()).toContain('worker-3'));
    await page.goto(`${url}#/cgroups`);
    const root = page.getByRole('row').filter({ has: page.getByRole('button', { name: '/', exact: true }) });
    await root.getByRole('button').focus();
    const rows = await page.getByRole('row').count();
    await page.keyboard.press('ArrowLeft');
    const state = async () => [await root.getAttribute('aria-expanded'), await page.getByRole('row').count()];
    await untilHolds(async () => expect(await state()).toEqual(['false', 2]));
    await page.keyboard.press('ArrowRight');
    await untilHolds(async () => expect(await state()).toEqual(['true', rows]));
  });

  it('needs less than 200 KB for its first view', async () => {
    shop.bytesSent = 0;
    await open('#/');
    expect(shop.bytesSent).toBeGreaterThan(20_000);
    expect(shop.bytesSent).toBeLessThan(200_000);
  });

  it('works below the path of a proxy', async () => {
    const prefix = '/api/v1/nodes/worker-3/proxy';
    const server = new MadeUpServer(shopPods(Date.now()), Date.now, { prefix });
    try {
      const base = await server.start();
      const page = await open(pod, {}, base);
      await page.getByRole('heading', { name: 'The way of the pod' }).waitFor();
      expect(server.requests.filter((path) => !path.startsWith(`${prefix}/console/`))).toEqual([]);
      await untilHolds(async () => expect(server.requests).toContain(`${prefix}/console/live`));
    } finally {
      await server.stop();
    }
  });

  it('keeps few elements for 200 pods, also while they change', async () => {
    const server = new MadeUpServer(manyPods(200, Date.now()), Date.now);
    try {
      const page = await open('#/pods', {}, await server.start());
      await page.getByText('200 pods').waitFor();
      const elements = (): Promise<number> => page.evaluate('document.querySelectorAll("*").length');
      expect(await elements()).toBeLessThan(2500);
      expect(await page.locator('tr.lane').count()).toBeLessThan(40);
      await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
      await page.locator('tr.lane[aria-rowindex="201"]').waitFor();
      const { pods, lanes } = server.snapshot();
      const changed = pods.map((row) => ({ ...row, restarts: 41 }));
      server.send('pods', { changed, removed: [] });
      server.send('lanes', { changed: lanes, removed: [] });
      server.sendSample();
      await page.locator('tr.lane[aria-rowindex="201"] td.strong', { hasText: /^41$/ }).waitFor();
      expect(await elements()).toBeLessThan(2500);
      server.send('pods', { changed: [], removed: pods.slice(1).map(({ uid }) => uid) });
      await page.getByText('1 pod', { exact: true }).waitFor();
    } finally {
      await server.stop();
    }
  });

  it('says since when it is not connected, and comes back', async () => {
    const server = new MadeUpServer(shopPods(Date.now()), Date.now);
    const base = await server.start();
    const page = await open('#/', {}, base);
    await server.stop();
    await page.getByText(/Not connected since \d\d:\d\d:\d\d/).waitFor();
    await page.getByText('The kubelet does not answer.').waitFor();
    await server.restartAt(base);
    await page.getByText('live', { exact: true }).waitFor();
    await untilHolds(async () => expect(await page.getByText('Not connected since').count()).toBe(0));
    await server.stop();
  });

  it('lets the kubelet rest while nobody sees it', async () => {
    const server = new MadeUpServer(shopPods(Date.now()), Date.now);
    try {
      const page = await open('#/', {}, await server.start());
      const turn = (state: string): Promise<void> =>
        page.evaluate(
          `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
           document.dispatchEvent(new Event('visibilitychange'))`,
        );
      await page.clock.install();
      await turn('hidden');
      expect(server.watchers()).toBe(1);
      await page.clock.fastForward(31_000);
      await waitFor('the page lets go of the stream', () => Promise.resolve(server.watchers() === 0));
      await turn('visible');
      await page.getByText('live', { exact: true }).waitFor();
      expect(server.watchers()).toBe(1);
    } finally {
      await server.stop();
    }
  });

  it('follows a log, and shows it without what colours it', async () => {
    const page = await open(pod);
    await page.getByRole('button', { name: 'Follow' }).click();
    const log = page.getByRole('log');
    await log.getByText('listening on :8080').waitFor();
    await untilHolds(async () => expect(await log.innerText()).toContain('\nINFO GET /healthz 200\n'));
    await page.getByRole('button', { name: 'Stop' }).click();
  });

  it('filters the journal, holds it still and loads what is older', async () => {
    const page = await open('#/journal');
    const entries = page.getByRole('list', { name: 'Journal, newest first' }).getByRole('listitem');
    await entries.first().waitFor();
    const all = await entries.count();
    await page.getByLabel('Filter').fill('postgres-0 volume');
    await entries.first().getByText('device or resource busy').waitFor();
    await untilHolds(async () => expect(await entries.count()).toBeLessThan(all));
    await page.getByLabel('Filter').fill('');
    await page.getByRole('button', { name: 'Pause' }).click();
    shop.send('journal', {
      entries: [{ kind: 'lease.failed', error: 'no route to host', seq: 9000, atMs: Date.now() }],
    });
    await page.getByRole('button', { name: 'Go on (1 new)' }).click();
    await entries.first().getByText('no route to host').waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByText('That is all that the journal keeps.').waitFor();
    await untilHolds(async () => expect(await entries.count()).toBeGreaterThan(all + 1));
  });

  it('has light and dark colours, by choice too', async () => {
    const page = await open('#/', { colorScheme: 'light' });
    const ground = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.emulateMedia({ colorScheme: 'dark' });
    let dark = '';
    await untilHolds(async () => expect((dark = await ground())).not.toBe(light));
    await page.getByRole('button', { name: 'Colours: system' }).click();
    await untilHolds(async () => expect(await ground()).toBe(light));
    await page.getByRole('button', { name: 'Colours: light' }).click();
    await untilHolds(async () => expect(await ground()).toBe(dark));
  });
});

const support = labSupport();

(support.ok ? describe : describe.skip)('the console of a kubelet with containers', () => {
  const lab = useLab();
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser(() => undefined);
  });
  afterAll(() => browser.close());

  it('shows pods as they come and fail, their logs, images and cgroups', async () => {
    const node = await lab().startNode('shown', { flags: ['--console-address=127.0.0.1:0'] });
    const read = (name: string): Promise<string> => readFile(path.join(node.dir, 'root/console', name), 'utf8');
    const [address, token] = await node.waitFor('the console has an address', async () => {
      const texts = await Promise.all([read('address'), read('token')]);
      return texts.map((text) => text.trim());
    });
    const opened = await openPage(browser, `http://${address}/console/?token=${token}#/pods`);
    const { page } = opened;
    expect(page.url()).not.toContain(token);
    const says = 'while true; do echo "<b>hello</b>"; sleep 1; done';
    await node.add(podManifest('web', { containers: [main({ command: ['sh', '-c', says] })] }));
    await node.add(podManifest('broken', { containers: [main({ command: ['no-such-program'] })] }));
    const row = (name: string): Locator => page.getByRole('row').filter({ has: page.getByRole('link', { name }) });
    await row('web-shown').locator('.phase-ready').waitFor();
    await row('broken-shown').locator('.level-trouble').waitFor();
    await untilHolds(async () => expect(await page.locator('tr.lane').first().innerText()).toContain('broken-shown'));
    await row('web-shown').getByRole('link').click();
    await page.getByRole('button', { name: 'Follow' }).click();
    await page.getByRole('log').getByText('<b>hello</b>').first().waitFor();
    await page.getByRole('link', { name: 'Images' }).click();
    await page.getByRole('link', { name: 'default/web-shown' }).waitFor();
    await page.getByRole('link', { name: 'Cgroups' }).click();
    await page.getByRole('link', { name: 'default/web-shown' }).waitFor();
    await page.getByRole('link', { name: 'Journal' }).click();
    await page.getByText('container.started').first().waitFor();
    await page.getByRole('link', { name: 'Node' }).click();
    await page.getByRole('heading', { name: 'Capacity' }).waitFor();
    expect(await opened.faults()).toEqual([]);
    await opened.close();
    await lab().stopNodes();
  });
});

/** Width and height in the header of a PNG. */
const sizeOf = (png: Buffer): string => `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
