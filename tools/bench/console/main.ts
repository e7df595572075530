import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ConsoleSnapshot } from '@podwright/console-interface';
import { startBrowser } from '../../console/browser.js';
import { manyPods } from '../../console/made-up-pods.js';
import { MadeUpServer } from '../../console/made-up-server.js';
import { openPage } from '../../console/watched-page.js';
import { Trace } from './trace.js';

// See usage.txt.
const { values } = parseArgs({
  options: { pods: { type: 'string', default: '200' }, seconds: { type: 'string', default: '10' } },
});
const [pods, seconds] = [positive('pods', values.pods), positive('seconds', values.seconds)];
/** The kubelet joins what happens within a second; samples come every two. */
const changesEveryMs = 1000;

const views = { node: '#/', pods: '#/pods', cgroups: '#/cgroups', images: '#/images', journal: '#/journal' };
const server = new MadeUpServer(manyPods(pods, Date.now()), Date.now);
const url = await server.start();
const browser = await startBrowser((line) => console.error(line));
try {
  console.log(`${pods} pods, ${seconds} s each view, everything changes every ${changesEveryMs} ms`);
  console.log(
    'view      first view KB  to first data ms  elements  CPU ms per s  longest task, CPU ms  the same, by the clock',
  );
  for (const [name, hash] of Object.entries(views)) console.log(await measure(name, hash));
} finally {
  await browser.close();
  await server.stop();
}

async function measure(name: string, hash: string): Promise<string> {
  server.bytesSent = 0;
  const startedAt = performance.now();
  const { page, close } = await openPage(browser, `${url}${hash}`);
  const readyMs = performance.now() - startedAt;
  const kilobytes = server.bytesSent / 1000;
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpuMs = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name: each }) => each === 'TaskDuration')?.value ?? 0) * 1000;
  };
  const before = await cpuMs();
  const trace = await Trace.start(session);
  const snapshot = server.snapshot();
  for (let round = 0; round < seconds; round++) {
    change(snapshot, round);
    await page.mouse.wheel(0, round % 4 < 2 ? 900 : -900);
    await delay(changesEveryMs);
  }
  const cpuMsPerSecond = (((await cpuMs()) - before) / seconds).toFixed(0);
  const tasks = await trace.tasks();
  const longest = (field: 'wallMs' | 'cpuMs'): string => Math.max(0, ...tasks.map((task) => task[field])).toFixed(0);
  const elements = await page.evaluate<number>('document.querySelectorAll("*").length');
  await close();
  const columns = [
    kilobytes.toFixed(0),
    readyMs.toFixed(0),
    elements,
    cpuMsPerSecond,
    longest('cpuMs'),
    longest('wallMs'),
  ];
  const widths = [14, 18, 10, 14, 22, 24];
  return [name.padEnd(7), ...columns.map((column, index) => String(column).padStart(widths[index] ?? 0))].join('');
}

function change({ pods: rows, lanes, journal, explanation }: ConsoleSnapshot, round: number): void {
  server.send('pods', { changed: rows.map((row) => ({ ...row, restarts: row.restarts + round })), removed: [] });
  server.send('lanes', { changed: lanes, removed: [] });
  server.send('journal', {
    entries: journal
      .slice(-40)
      .map((entry, index) => ({ ...entry, seq: 10_000 + round * 40 + index, atMs: Date.now() })),
  });
  server.send('node', explanation);
  if (round % 2 === 0) server.sendSample();
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`--${name} must be a whole number above 0, not "${text}"`);
  process.exit(2);
}
