import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { createMemoryLogger } from '@podwright/logging';
import { runProgram } from '@podwright/program';
import { VirtualClock } from '@podwright/time';
import { success, writeScriptDriver, type ScriptDriver } from './fixtures/script-driver.js';
import { FlexDriver } from './flex-driver.js';

describe('FlexDriver', () => {
  const clock = new VirtualClock();
  const signal = new AbortController().signal;
  let folder = '';
  let script: ScriptDriver;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'flex-driver-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function driverOf(cases: Readonly<Record<string, string>>): Promise<FlexDriver> {
    script = await writeScriptDriver(join(folder, 'example.dev~disk'), cases);
    const deps = { run: runProgram, clock, logger: createMemoryLogger() };
    return new FlexDriver(deps, { name: 'example.dev/disk', executable: script.executable, callTimeoutMs: 1_000 });
  }

  it('gets its arguments as they are, without a shell', async () => {
    const driver = await driverOf({ attach: `echo '{"status":"Success","device":"/dev/sdx"}'` });
    const answer = await driver.call('attach', ['{"a":"$(id) \'b\'"}', 'node 1'], signal);
    expect(answer?.device).toBe('/dev/sdx');
    expect(await script.calls()).toEqual([['attach', '{"a":"$(id) \'b\'"}', 'node 1']]);
  });

  it('is not asked again for what it does not support', async () => {
    const driver = await driverOf({ mount: success });
    expect(await driver.call('unmount', ['/a'], signal)).toBeUndefined();
    expect(await driver.call('unmount', ['/b'], signal)).toBeUndefined();
    expect(await driver.call('mount', ['/a'], signal)).toBeDefined();
    expect(await script.calls()).toEqual([
      ['unmount', '/a'],
      ['mount', '/a'],
    ]);
  });

  it('must support init', async () => {
    const driver = await driverOf({});
    await expect(driver.init(signal)).rejects.toThrow('Not supported');
  });

  it('may write warnings to its standard error, and its answer when that is all', async () => {
    const driver = await driverOf({ mount: `echo careful >&2; ${success}`, unmount: `{ ${success}; } >&2` });
    expect(await driver.call('mount', [], signal)).toBeDefined();
    expect(await driver.call('unmount', [], signal)).toBeDefined();
  });

  it('fails with its exit code when its answer has no error', async () => {
    const driver = await driverOf({ mount: `${success}; exit 3` });
    await expect(driver.call('mount', [], signal)).rejects.toThrow('exit status 3');
  });

  it('is killed when it takes too long', async () => {
    const driver = await driverOf({ mount: 'exec sleep 600' });
    const outcome = driver.call('mount', [], signal).catch((error: unknown) => error);
    await clock.advance(1_000);
    const error = await outcome;
    expect(hasCode(error, 'deadline-exceeded')).toBe(true);
    expect(String(error)).toContain('timeout');
  });

  it('says so when it cannot be started', async () => {
    const driver = await driverOf({});
    await rm(script.executable);
    await expect(driver.call('mount', [], signal)).rejects.toThrow(/^fork\/exec .*: no such file or directory$/);
  });
});
