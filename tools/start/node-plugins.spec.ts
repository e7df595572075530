import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findNodePlugins, NodePlugins } from './node-plugins.js';

const patienceMs = 60_000;

describe('programs beside the manifests', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'podwright-plugins-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  const put = (name: string, text = ''): void => writeFileSync(path.join(dir, name), text);

  it('are found by their name, in order, and only in a folder of manifests', () => {
    for (const name of ['b.plugin.mjs', 'a.plugin.mjs', 'pod.yaml', 'plugin.mjs', 'c.plugin.mjs.old']) put(name);
    mkdirSync(path.join(dir, 'below'));
    put('below/d.plugin.mjs');
    expect(findNodePlugins(dir)).toEqual([path.join(dir, 'a.plugin.mjs'), path.join(dir, 'b.plugin.mjs')]);
    expect(findNodePlugins(path.join(dir, 'pod.yaml'))).toEqual([]);
  });

  it(
    'get the folder of the kubelet and the variables of the runtime, and end when they are asked to',
    async () => {
      put(
        'loud.plugin.mjs',
        `const timer = setInterval(() => undefined, 1_000);
        process.on('SIGTERM', () => (console.error('ends'), clearInterval(timer)));
        console.log('serves', process.argv[2], process.env.TOOLS);`,
      );
      put('brief.plugin.mjs', 'process.exit(3);');
      const said: string[] = [];
      const noted: [string, number][] = [];
      let hear = (): void => undefined;
      const heard = (...lines: readonly string[]): Promise<void> =>
        new Promise((resolve) => {
          hear = () => void (lines.every((line) => said.includes(line)) && resolve());
          hear();
        });
      const plugins = await NodePlugins.start({
        files: findNodePlugins(dir),
        kubeletRoot: '/root-of-kubelet',
        env: { TOOLS: 'from the lab' },
        note: async (name, pid) => void noted.push([name, pid]),
        say: (line) => {
          said.push(line);
          hear();
        },
      });
      await heard('loud: serves /root-of-kubelet from the lab', 'brief exited with code 3');
      await plugins.stop();
      await heard('loud: ends');
      expect(noted.map(([name]) => name)).toEqual(['brief', 'loud']);
      expect(noted.every(([, pid]) => pid > 1)).toBe(true);
      expect(said.filter((line) => line.includes('exited'))).toEqual(['brief exited with code 3']);
    },
    patienceMs,
  );
});
