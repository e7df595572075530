import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { main, podManifest, script } from '../../pod-manifests.js';
import type { GuestCase } from '../guest-case.js';
import { podSlice, podSlices } from '../guest-cgroups.js';
import { runOutput } from '../guest-commands.js';

const DIARY = '/var/lib/podwright/diary';
const ORDINARY = 'ordinary';
const CRITICAL = 'critical';

/** Writes a line on SIGTERM, and another one when it exits. */
const lastWords = (name: string): readonly string[] =>
  script(`trap 'echo ${name} told >> /diary/all; sleep 2; echo ${name} ends >> /diary/all; sync; exit 0' TERM
    while :; do sleep 1; done`);

const shutdown: GuestCase = {
  name: 'the kubelet holds the shutdown up while there are pods to end',
  boot: 0,
  run: async (node) => {
    await mkdir(DIARY, { recursive: true });
    for (const [name, priority] of [
      [ORDINARY, undefined],
      [CRITICAL, 'system-node-critical'],
    ] as const) {
      const container = main({ command: [...lastWords(name)], volumeMounts: [{ name: 'diary', mountPath: '/diary' }] });
      await node.add(
        podManifest(name, {
          containers: [container],
          volumes: [{ name: 'diary', hostPath: { path: DIARY } }],
          ...(priority !== undefined && { priorityClassName: priority, priority: 2_000_001_000 }),
        }),
      );
    }
    await node.running(ORDINARY);
    await node.running(CRITICAL);
    await node.waitFor('a lock on the shutdown', async () =>
      /kubelet.*shutdown.*delay/.test(await runOutput('systemd-inhibit', '--list', '--no-pager', '--no-legend')),
    );
  },
};

const order: GuestCase = {
  name: 'the reboot ended ordinary pods before critical ones',
  boot: 1,
  run: async (node) => {
    await node.untilUp();
    const diary = (await readFile(`${DIARY}/all`, 'utf8')).trim().split('\n');
    const ends = [`${ORDINARY} told`, `${ORDINARY} ends`, `${CRITICAL} told`, `${CRITICAL} ends`];
    assert.deepEqual(diary.slice(0, ends.length), ends);
  },
};

const comeBack: GuestCase = {
  name: 'after the reboot each pod is there again, once',
  boot: 1,
  run: async (node) => {
    const names = ['guaranteed', ORDINARY, CRITICAL];
    const pods = [];
    for (const name of names) pods.push(await node.running(name));
    for (const name of names) {
      const ready = (await node.runtime.sandboxes(node.podName(name))).filter((sandbox) => sandbox.ready);
      const running = await node.runtime.running(node.podName(name));
      assert.deepEqual([ready.length, running.length], [1, 1], name);
    }
    const slices = pods.map((pod) => podSlice(pod).split('/').at(-1));
    assert.deepEqual([...(await podSlices())].sort(), slices.sort());
  },
};

export const shutdownCases: readonly GuestCase[] = [shutdown];
export const afterRebootCases: readonly GuestCase[] = [order, comeBack];
