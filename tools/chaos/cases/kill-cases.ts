import { setTimeout as sleep } from 'node:timers/promises';
import { runtimePid } from '@podwright/lab';
import { createSeededRandom } from '@podwright/time';
import { main, script } from '../../acceptance/pod-manifests.js';
import type { ChaosCase } from '../chaos-case.js';
import { shimPid } from '../shims.js';
import { quickPod, type ChaosNode } from '../chaos-node.js';

/** Takes a second to end. */
const slowEnd = [...script('trap "sleep 1; exit 0" TERM; sleep 1000000 & wait')];
const steadyPods = 9;
const moving = 4;

/** Pods of which some start and some end just now; resolves while they do. */
async function inMotion(node: ChaosNode, round: number): Promise<{ starting: string[]; ending: string[] }> {
  const names = (what: string): string[] => Array.from({ length: moving }, (_, index) => `${what}-${round}-${index}`);
  const [starting, ending] = [names('starting'), names('ending')];
  await node.create(ending.map((name) => quickPod(name, { containers: [main({ command: slowEnd })] })));
  for (const name of ending) await node.node.untilReady(name, { withinMs: 120_000 });
  await node.create(starting.map((name) => quickPod(name)));
  await Promise.all(ending.map((name) => node.node.delete(name)));
  return { starting, ending };
}

/** No container of these pods was started a second time. */
async function startedTwice(node: ChaosNode, names: readonly string[]): Promise<readonly string[]> {
  const { runtime } = node.bed;
  const found = await Promise.all(
    names.map(async (name) => {
      const all = await runtime.containers(name);
      const statuses = await Promise.all(all.map(({ id }) => runtime.status(id)));
      const started = statuses.filter(({ startedAt }) => startedAt > 0n).length;
      return started > 1 ? [`${name} was started ${started} times`] : [];
    }),
  );
  return found.flat();
}

const killsOfKubelet = 5;

export const killKubelet: ChaosCase = {
  name: 'kill-kubelet',
  does: `kill -9 of the kubelet ${killsOfKubelet} times, with ${steadyPods} pods running, ${moving} starting and ${moving} ending`,
  run: async (node, report) => {
    const random = createSeededRandom(1);
    await node.steady(steadyPods);
    const all: string[] = [];
    for (let round = 0; round < killsOfKubelet; round += 1) {
      const { starting, ending } = await inMotion(node, round);
      report.begins();
      await sleep(random.next() * 1_500);
      await node.node.kubelet.end('SIGKILL');
      const fromMs = performance.now();
      await node.node.kubelet.start();
      report.well(await node.untilWell(fromMs, starting, ending));
      all.push(...starting);
    }
    report.lost(...(await startedTwice(node, all)));
    await node.judgeSteady(report);
  },
};

const containerdAwaySeconds = 10;
/** As long as this a kubelet must bear a runtime that does not answer. Source: kubernetes v1.36 kubelet.go, maxWaitForContainerRuntime. */
const runtimePatienceMs = 30_000;

export const killContainerd: ChaosCase = {
  name: 'kill-containerd',
  does: `kill -9 of containerd, which is back after ${containerdAwaySeconds} s, with ${steadyPods} pods running, ${moving} starting and ${moving} ending`,
  run: async (node, report) => {
    await node.steady(steadyPods);
    const { starting, ending } = await inMotion(node, 0);
    report.begins();
    const brokenMs = Date.now();
    await sleep(500);
    await node.bed.lab.killRuntime();
    await sleep(containerdAwaySeconds * 1000);
    await node.bed.lab.startRuntime();
    const fromMs = performance.now();
    report.well(await node.untilWell(fromMs, starting, ending));
    report.excuse({
      of: /^pod steady-exec-/,
      fromMs: brokenMs,
      because: 'exec probes fail while no runtime runs commands',
    });
    await node.judgeSteady(report);
  },
};

export const killShim: ChaosCase = {
  name: 'kill-shim',
  does: `kill -9 of the shim of one of ${steadyPods + 1} running pods`,
  run: async (node, report) => {
    await node.steady(steadyPods);
    await node.create([quickPod('orphan')]);
    await node.node.untilReady('orphan');
    const { sandboxId, id } = await node.containerOf('orphan');
    const shim = await shimPid(sandboxId);
    report.begins();
    report.excuse({ of: /^pod orphan$/, because: 'the pod whose shim died starts again' });
    const fromMs = performance.now();
    process.kill(shim, 'SIGKILL');
    await node.node.kubelet.waitFor(
      'its container is another',
      async () => (await node.containerOf('orphan')).id !== id,
    );
    report.well(await node.untilWell(fromMs, ['orphan']));
    await node.judgeSteady(report);
  },
};

export const stopContainerd: ChaosCase = {
  name: 'stop-containerd',
  does: `SIGSTOP of containerd for --pause seconds (60), with ${steadyPods} pods running, ${moving} starting and ${moving} ending`,
  run: async (node, report, { pauseSeconds }) => {
    await node.steady(steadyPods);
    const pid = await runtimePid(node.bed.lab.layout);
    if (pid === undefined) throw new Error('containerd does not run');
    const { starting, ending } = await inMotion(node, 0);
    report.begins();
    await sleep(300);
    process.kill(pid, 'SIGSTOP');
    const stoppedMs = Date.now();
    try {
      await sleep(pauseSeconds * 1000);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    report.well(await node.untilWell(performance.now(), starting, ending));
    const fromMs = stoppedMs;
    report.excuse({ of: /^pod steady-exec-/, fromMs, because: 'exec probes fail while no runtime runs commands' });
    report.excuse({
      of: node.hasControllers ? /./ : /^node /,
      fromMs: stoppedMs + runtimePatienceMs,
      because: `the node says after 30 s that its runtime does not answer${node.hasControllers ? ', and the node controller says so of its pods' : ''}`,
    });
    await node.judgeSteady(report);
  },
};
