import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Pod } from '@podwright/kube-types';
import { podwrightLines } from './podwright-command.js';

const pod = (name: string, namespace = 'default'): Pod => ({ metadata: { name, namespace }, spec: { containers: [] } });

describe('the pods of npm start, as the command podwright shows them', () => {
  let dir = '';
  let file = '';
  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'podwright-command-'));
    file = path.join(dir, 'podwright');
    await writeFile(file, "console.log('asked ' + process.argv.slice(2).join(' ')); process.exitCode = 1;");
  });
  afterAll(() => rm(dir, { recursive: true }));

  it('are its output, with commands to try', async () => {
    const options = { file, socket: '/s', real: true, cwd: dir, ofCluster: false, runsOn: true };
    expect(await podwrightLines([pod('web')], options)).toEqual([
      '$ podwright get pods --all-namespaces -o wide',
      'asked --socket /s get pods --all-namespaces -o wide',
      'try in another terminal:',
      '  export PODWRIGHT_SOCKET=/s',
      ...['explain pod web', 'describe pod web', 'logs -f web', 'exec -it web -- sh'].map(
        (args) => `  podwright ${args}`,
      ),
    ]);
  });

  it('have no commands of containers that are simulated, and name another namespace', async () => {
    const options = { file, socket: '/s', real: false, cwd: dir, ofCluster: false, runsOn: true };
    expect((await podwrightLines([pod('web', 'shop')], options)).slice(4)).toEqual([
      '  podwright explain pod -n shop web',
      '  podwright describe pod -n shop web',
    ]);
  });

  it('are left to kubectl on a node of a cluster, whose kubelet explains', async () => {
    const options = { file, socket: '/s', real: true, cwd: dir, ofCluster: true, runsOn: true };
    const head = ['try in another terminal:', '  export PODWRIGHT_SOCKET=/s'];
    expect(await podwrightLines([pod('web')], options)).toEqual([
      ...head,
      '  podwright explain pod web',
      '  podwright explain node',
    ]);
    expect(await podwrightLines([], options)).toEqual([...head, '  podwright explain node']);
  });

  it('come without commands to try when the run ends', async () => {
    const options = { file, socket: '/s', real: true, cwd: dir, runsOn: false };
    expect(await podwrightLines([pod('web')], { ...options, ofCluster: false })).toHaveLength(2);
    expect(await podwrightLines([pod('web')], { ...options, ofCluster: true })).toEqual([]);
  });
});
