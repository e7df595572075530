import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page of the console under watch: what it must never do is written down. */
export interface WatchedPage {
  readonly page: Page;
  /** Breaches of the content security policy, errors, dialogs, and requests to other origins. */
  faults(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Opens `url` and waits until the page has its first data. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, timezoneId: 'UTC', ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  const { origin } = new URL(url);
  page.on('request', (request) => {
    const target = request.url();
    if (!target.startsWith(`${origin}/`) && !target.startsWith('data:')) faults.push(`request to ${target}`);
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  await page.addInitScript({
    content: `window.breaches = []; document.addEventListener('securitypolicyviolation', (event) => window.breaches.push(event.violatedDirective + ' ' + event.blockedURI));`,
  });
  await page.goto(url);
  await page.getByText('live', { exact: true }).waitFor();
  return {
    page,
    faults: async () => [...faults, ...(await page.evaluate<string[]>('window.breaches'))],
    close: () => context.close(),
  };
}

/** What axe finds: the rule and the first elements that break it. `rules` limits it, since a whole look takes a second. */
export async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) };
  // Not by a script element, which the content security policy forbids.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: axe.Result[] }>(`axe.run(${JSON.stringify(options)})`);
  return violations.map(({ id, help, nodes }) => {
    const places = nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary ?? ''}`);
    return `${id}: ${help}: ${places.join(' | ')}`;
  });
}
