import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { deepEqual } from '@podwright/kube-types';
import { createSeededRandom, yieldToEventLoop } from '@podwright/time';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { CommitReport } from './fixtures/commit-until-killed.js';
import { stateAfter } from './fixtures/numbered-commits.js';
import { allSettings, createStoreWorld, type StoreWorld } from './fixtures/store-world.js';

const kills = 10;
const random = createSeededRandom(17);
const upTo = (most: number): number => Math.ceil(random.next() * most);

let world: StoreWorld;
beforeAll(async () => {
  world = await createStoreWorld();
});
afterAll(() => world.end());

/** Runs a process that commits from number `first` on, and kills it after a few commits. Returns the last answer. */
async function commitUntilKilled(program: readonly string[], first: number): Promise<{ last: number; bundle: string }> {
  const [script = '', ...args] = program;
  const child = fork(script, [...args, world.rootDir, String(first)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  let last = first - 1;
  let bundle = '';
  const wanted = first + upTo(12);
  child.on('message', async (report: CommitReport) => {
    if ('bundle' in report) bundle = report.bundle;
    else last = report.answered;
    if (last !== wanted) return;
    // The process goes on meanwhile, so the signal comes at any of its steps.
    for (let turns = upTo(40); turns > 0; turns -= 1) await yieldToEventLoop();
    child.kill('SIGKILL');
  });
  expect(await ended).toEqual([null, 'SIGKILL']);
  return { last, bundle };
}

it('has all that a killed process has answered, and no half transaction', async () => {
  const workspace = path.join(__dirname, '../../../../..');
  const source = path.join(__dirname, 'fixtures/commit-until-killed.ts');
  let program: readonly string[] = [path.join(workspace, 'tools/bootstrap/run.mjs'), source];
  let next = 1;
  for (let kill = 1; kill <= kills; kill += 1) {
    const { last, bundle } = await commitUntilKilled(program, next);
    program = [bundle];
    const store = await world.open();
    const found = allSettings(store);
    const done = [last, last + 1].filter((n) => deepEqual(found, stateAfter(n)));
    expect(done.length > 0 || { last, found }).toBe(true);
    next = Math.max(...done) + 1;
    await store.stop();
  }
  expect(world.logger.messages('error')).toEqual([]);
});
