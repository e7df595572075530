// Runs in the virtual machine after each boot: the cases of this boot, then a reboot or power-off.
import { appendFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { renderReportLine, REPORT_DEVICE, type ReportLine } from '@podwright/lab';
import { guestCases } from './cases/index.js';
import { kubeadmCases } from './cases/kubeadm-cases.js';
import type { GuestCase } from './guest-case.js';
import { run } from './guest-commands.js';
import { GuestNode } from './guest-node.js';

/** Names of the cases to run. */
const CASES_FILE = '/podwright/cases.json';
const BOOT_FILE = '/var/lib/podwright/boot';

// Writes synchronously: the machine may be about to power off.
function report(line: ReportLine): void {
  appendFileSync(REPORT_DEVICE, renderReportLine(line));
}

async function countBoot(): Promise<number> {
  const boot = Number(await readFile(BOOT_FILE, 'utf8').catch(() => '-1')) + 1;
  await mkdir(path.dirname(BOOT_FILE), { recursive: true });
  await writeFile(BOOT_FILE, String(boot));
  return boot;
}

async function runCase({ name, timeoutMs = 300_000, run: work }: GuestCase, node: GuestNode): Promise<boolean> {
  report({ type: 'begin', name });
  await node.mark(name);
  const startedAt = performance.now();
  const seconds = (): number => Math.round((performance.now() - startedAt) / 100) / 10;
  const timer = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`not within ${timeoutMs / 1000} s`);
  });
  try {
    await Promise.race([work(node), late]);
    report({ type: 'end', name, seconds: seconds() });
    return true;
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    report({ type: 'end', name, seconds: seconds(), error: text, log: await node.explain() });
    return false;
  } finally {
    timer.abort();
    await late.catch(() => undefined);
  }
}

async function main(): Promise<void> {
  const boot = await countBoot();
  report({ type: 'up', boot, uptimeSeconds: Number((await readFile('/proc/uptime', 'utf8')).split(' ')[0]) });
  const node = await GuestNode.open();
  let goesOn = true;
  const wanted = JSON.parse(await readFile(CASES_FILE, 'utf8')) as readonly string[];
  const cases = [...guestCases, ...kubeadmCases].filter(({ name }) => wanted.includes(name));
  for (const guestCase of cases.filter((one) => one.boot === boot)) {
    goesOn = (await runCase(guestCase, node)) || guestCase.vital !== true;
    if (!goesOn) break;
  }
  await node.runtime.close();
  if (goesOn && cases.some((one) => one.boot > boot)) {
    report({ type: 'note', text: 'reboot' });
    await run('systemctl', 'reboot');
    return;
  }
  report({ type: 'done' });
  await run('systemctl', '--force', '--force', 'poweroff');
}

main().catch((error: unknown) => {
  report({
    type: 'note',
    text: `the program in the guest failed: ${error instanceof Error ? error.stack : String(error)}`,
  });
  report({ type: 'done' });
  process.exit(1);
});
