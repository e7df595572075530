import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ContainedFolder } from '@podwright/contained-path';
import { eventually } from '@podwright/time';
import { LogNode } from './fixtures/log-node.js';
import type { GzipLogRotation } from './gzip-log-rotation.js';

const large = 'x'.repeat(1000);
const older = '0.log.20200101-000001';

describe('compression beside the rotation', () => {
  let node: LogNode;
  let rotation: GzipLogRotation;
  beforeEach(async () => {
    node = await LogNode.create();
    rotation = node.rotation();
  });
  afterEach(async () => {
    await rotation.stop();
    await node.dispose();
  });

  // Blocks that gzip cannot make small keep it busy for a while.
  const slow = randomBytes(24 * 2 ** 20);

  it('is rotated while older files are still being compressed, and those that must go do not wait for it', async () => {
    await node.add('app');
    await writeFile(path.join(node.folder('app'), older), slow);
    await node.write('app', large);
    await rotation.start();
    await node.clock.advance(0);
    await eventually(async () => (await node.files('app')).includes(`${older}.tmp`));
    expect((await stat(path.join(node.folder('app'), '0.log'))).size).toBe(0);
    await node.write('app', large);
    await node.pass(10_000);
    await node.write('app', large);
    await node.pass(10_000);
    await rotation.rotateDueLogs();
    const files = await node.files('app');
    expect(files).toHaveLength(3);
    expect(files.some((name) => name.startsWith(older))).toBe(false);
    expect(node.errors()).toEqual([]);
  });

  it('a file that was packed while the files were counted counts', async () => {
    await node.add('app');
    await node.put('app', older, 'old');
    await node.put('app', '0.log.20200101-000002.gz', 'newer');
    const namesOf = Reflect.get(ContainedFolder.prototype, 'names') as ContainedFolder['names'];
    let calls = 0;
    const counting = jest.spyOn(ContainedFolder.prototype, 'names').mockImplementation(async function (
      this: ContainedFolder,
    ) {
      const names = await namesOf.call(this);
      // First it looks whether the new name is taken, then it counts.
      if (++calls === 2) await this.rename(older, `${older}.gz`);
      return names;
    });
    await node.write('app', large);
    await rotation.rotateDueLogs();
    counting.mockRestore();
    expect(calls).toBeGreaterThan(1);
    const files = await node.files('app');
    expect(files).toHaveLength(3);
    expect(files.filter((name) => name.startsWith(older))).toEqual([]);
  });

  it('a file that must go does not come back, packed, from a compression that is at its end', async () => {
    await node.add('app');
    await node.put('app', older, 'old');
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const renameIn = Reflect.get(ContainedFolder.prototype, 'rename') as ContainedFolder['rename'];
    let renaming: jest.SpiedFunction<ContainedFolder['rename']> | undefined;
    const atTheEnd = new Promise<void>((resolve) => {
      renaming = jest.spyOn(ContainedFolder.prototype, 'rename').mockImplementation(async function (
        this: ContainedFolder,
        ...names
      ) {
        if (names[1] === `${older}.gz`) {
          resolve();
          await held;
        }
        await renameIn.apply(this, names);
      });
    });
    await node.write('app', large);
    await rotation.start();
    await node.clock.advance(0);
    await atTheEnd;
    await node.write('app', large);
    await node.pass(10_000);
    goOn();
    await rotation.rotateDueLogs();
    renaming?.mockRestore();
    const files = await node.files('app');
    expect(files).toHaveLength(3);
    expect(files.filter((name) => name.startsWith(older))).toEqual([]);
  });

  it('leaves nothing when the log is removed while it is being compressed', async () => {
    const logPath = await node.add('app');
    await writeFile(path.join(node.folder('app'), older), slow);
    await node.write('app', large);
    const rotating = rotation.rotateDueLogs();
    await node.clock.advance(0);
    await rotation.clean(logPath);
    await rotating;
    expect(await node.files('app')).toEqual([]);
  });

  it('leaves the original when the kubelet stops meanwhile', async () => {
    await node.add('app');
    await writeFile(path.join(node.folder('app'), older), slow);
    await node.write('app', large);
    const rotating = rotation.rotateDueLogs().catch(() => undefined);
    await node.clock.advance(0);
    await rotation.stop();
    await rotating;
    expect(await node.files('app')).toContain(older);
    expect((await node.files('app')).filter((name) => /gz|tmp/.test(name))).toEqual([]);
  });
});
