import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import type { RunProgram } from '@podwright/program';
import { VirtualClock } from '@podwright/time';
import type { UserNamespaces } from '@podwright/user-namespace-interface';
import { describeUserNamespacesContract } from '@podwright/user-namespace-interface/contract';
import { createFileUserNamespaces } from './file-user-namespaces.module.js';
import type { FileUserNamespacesConfig } from './file-user-namespaces-config.js';
import { createContractHarness } from './fixtures/contract-harness.js';
import { handler, handlers, noUser, programs, unit, withIds } from './fixtures/host-users.js';

let rootDir: string;
beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), 'user-namespaces-'));
});
afterEach(() => rm(rootDir, { recursive: true }));

function make(run: RunProgram = noUser, options: Partial<FileUserNamespacesConfig> = {}): UserNamespaces {
  const deps = {
    ...{ clock: new VirtualClock(), logger: createMemoryLogger(), run },
    runtimeState: { handlers: () => handlers },
  };
  return createFileUserNamespaces(deps, { rootDir, ...options });
}

const podOf = (uid: string): Pod => ({ metadata: { uid }, spec: { containers: [], hostUsers: false } });
const fileOf = (uid: string): string => join(rootDir, 'pods', uid, 'userns');
const mapping = (hostId: number, length = unit, containerId = 0): object => ({ hostId, containerId, length });
async function put(uid: string, content: unknown): Promise<void> {
  await mkdir(join(rootDir, 'pods', uid), { recursive: true });
  await writeFile(fileOf(uid), typeof content === 'string' ? content : JSON.stringify(content));
}

describeUserNamespacesContract('FileUserNamespaces', createContractHarness);

describe('ranges of the host', () => {
  it.each<[string, RunProgram, number, number]>([
    ['no user kubelet', noUser, unit, unit],
    ['no getent', programs({}), unit, unit],
    ['no getsubids', programs({ 'getent passwd kubelet': 'kubelet:x' }), unit, unit],
    ['more ids per pod', noUser, 4 * unit, 4 * unit],
    ['ids of the user', withIds(`0: kubelet ${10 * unit} ${200 * unit}\n`), unit, 10 * unit],
    ['ids of the user, larger blocks', withIds(`0: kubelet ${10 * unit} ${400 * unit}\n`), 2 * unit, 10 * unit],
  ])('%s', async (_, run, idsPerPod, firstId) => {
    const namespaces = make(run, { idsPerPod });
    await namespaces.start();
    const ids = [{ hostId: firstId, containerId: 0, length: idsPerPod }];
    expect(await namespaces.getOrCreate(podOf('a'), '')).toMatchObject({ uids: ids, gids: ids });
    expect(JSON.parse(await readFile(fileOf('a'), 'utf8'))).toEqual({ uidMappings: ids, gidMappings: ids });
  });

  it('are not waited for without end', async () => {
    const clock = new VirtualClock();
    const hanging: RunProgram = (_command, signal) =>
      new Promise((resolve) =>
        signal?.addEventListener('abort', () =>
          resolve({ end: { how: 'aborted' }, problem: 'context deadline exceeded', stdout: '', stderr: '' }),
        ),
      );
    const deps = { clock, logger: createMemoryLogger(), run: hanging, runtimeState: { handlers: () => handlers } };
    const starting = createFileUserNamespaces(deps, { rootDir }).start();
    const refused = expect(starting).rejects.toThrow('getent did not end: deadline of 10000 ms exceeded');
    await clock.advance(10_000);
    await refused;
    expect(clock.pendingTimers).toBe(0);
  });

  it('uses the last block of the default range too, which ends with the ids of the kernel', async () => {
    await put('high', { uidMappings: [mapping(2 ** 32 - unit)], gidMappings: [mapping(2 ** 32 - unit)] });
    await make().start();
  });

  const failing = 1;
  const exists = { 'getent passwd kubelet': 'kubelet:x' };
  const many = 200 * unit;
  it.each<[RunProgram, string]>([
    [
      programs({ 'getent passwd kubelet': failing }),
      'kubelet mappings: lookup of user "kubelet" failed: getent ended with 1',
    ],
    [
      programs({ ...exists, 'getsubids kubelet': failing }),
      'kubelet mappings: error retrieving additional ids for user "kubelet"',
    ],
    [
      programs({ ...exists, 'getsubids kubelet': '0: kubelet 1 2', 'getsubids -g kubelet': failing }),
      'kubelet mappings: error retrieving additional gids for user "kubelet"',
    ],
    [
      withIds('0: kubelet 65536 65536\n', '0: kubelet 65536 131072\n'),
      'kubelet mappings: mismatched subuids and subgids for user "kubelet"',
    ],
    [withIds('0: kubelet 1 2\n1: kubelet 3 4\n'), 'it must contain only one line'],
    [withIds(''), 'invalid line ""'],
    [withIds('0: kubelet 65536\n'), 'invalid line "0: kubelet 65536\\n"'],
    [withIds('0: kubelet x 1\n'), 'strconv.ParseUint: parsing "x": invalid syntax'],
    [withIds('0: kubelet 4294967296 1\n'), 'strconv.ParseUint: parsing "4294967296": value out of range'],
    [withIds(`0: kubelet 65537 ${many}\n`), 'kubelet user assigned ID 65537 is not a multiple of 65536'],
    [withIds(`0: kubelet 0 ${many}\n`), 'kubelet user assigned ID 0 must be greater or equal to 65536'],
    [withIds('0: kubelet 65536 65537\n'), 'kubelet user assigned IDs length 65537 is not a multiple of 65536'],
    [withIds(`0: kubelet 65536 ${109 * unit}\n`), 'kubelet user assigned IDs are not enough to support 110 pods'],
  ])('case %#: the kubelet does not start', async (run, problem) => {
    await expect(make(run).start()).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringMatching(/^create user namespace manager: /),
    });
    await expect(make(run).start()).rejects.toThrow(problem);
  });

  it.each([0, 65_535, 65_537, 2 ** 32])('takes no %i ids per pod', (idsPerPod) => {
    expect(() => make(noUser, { idsPerPod })).toThrow('idsPerPod');
  });
});

describe('files of the pods', () => {
  it('give the lowest free block, hidden from other users, and go with the release', async () => {
    const namespaces = make();
    await namespaces.start();
    for (const uid of ['a', 'b', 'c']) await namespaces.getOrCreate(podOf(uid), '');
    expect((await stat(fileOf('b'))).mode & 0o777).toBe(0o600);
    await namespaces.release('b');
    expect(await readdir(join(rootDir, 'pods', 'b'))).toEqual([]);
    const { uids } = await namespaces.getOrCreate(podOf('d'), '');
    expect(uids).toMatchObject([{ hostId: 2 * unit }]);
  });

  it('may be missing, empty, or beside other files', async () => {
    await put('empty', '');
    await mkdir(join(rootDir, 'pods', 'none'));
    await writeFile(join(rootDir, 'pods', 'stray'), 'x');
    const namespaces = make();
    await namespaces.start();
    expect((await namespaces.getOrCreate(podOf('empty'), '')).uids).toMatchObject([{ hostId: unit }]);
  });

  it('that vanish are written again with the same ids', async () => {
    const namespaces = make();
    await namespaces.start();
    const before = await namespaces.getOrCreate(podOf('a'), '');
    await rm(fileOf('a'));
    expect(await namespaces.getOrCreate(podOf('a'), '')).toEqual(before);
  });

  const ids = mapping(unit);
  it.each<[unknown, string]>([
    ['{', 'invalid user namespace mappings file: '],
    ['[]', 'invalid user namespace mappings file: '],
    [{ uidMappings: [{ hostId: -1 }] }, 'invalid user namespace mappings file: '],
    [{ uidMappings: {} }, 'invalid user namespace mappings file: '],
    [{}, 'invalid user namespace configuration: no more than one mapping allowed.'],
    [
      { uidMappings: [ids, mapping(2 * unit)], gidMappings: [ids] },
      'invalid user namespace configuration: no more than one mapping allowed.',
    ],
    [{ uidMappings: [ids] }, 'invalid user namespace configuration: GID and UID mappings should be identical.'],
    [
      { uidMappings: [ids], gidMappings: [mapping(2 * unit)] },
      'invalid user namespace configuration: GID and UID mapping should be identical',
    ],
    [
      { uidMappings: [mapping(unit, unit, 1)], gidMappings: [mapping(unit, unit, 1)] },
      'invalid user namespace configuration: UID 0 must be mapped',
    ],
    [
      { uidMappings: [mapping(unit, 2 * unit)], gidMappings: [mapping(unit, 2 * unit)] },
      'wrong user namespace length 131072',
    ],
    [
      { uidMappings: [mapping(unit + 1)], gidMappings: [mapping(unit + 1)] },
      'wrong user namespace offset specified 65537',
    ],
    [{ uidMappings: [mapping(0)], gidMappings: [mapping(0)] }, 'id 0 is out of range'],
  ])('with %j keep the kubelet from starting', async (content, problem) => {
    await put('a', content);
    await expect(make().start()).rejects.toMatchObject({
      code: 'data-loss',
      message: expect.stringContaining(
        `create user namespace manager: record pod mappings for existing pod "a": ${problem}`,
      ),
    });
  });

  it('of two pods with the same ids keep the kubelet from starting', async () => {
    for (const uid of ['a', 'b']) await put(uid, { uidMappings: [ids], gidMappings: [ids] });
    await expect(make().start()).rejects.toThrow('range picked for pod "b" already taken');
  });

  it('that change under the kubelet are refused', async () => {
    const namespaces = make();
    await namespaces.start();
    await namespaces.getOrCreate(podOf('a'), '');
    await put('a', { uidMappings: [mapping(5 * unit)], gidMappings: [mapping(5 * unit)] });
    await expect(namespaces.getOrCreate(podOf('a'), '')).rejects.toThrow(
      'user namespace: different user namespace range already used by pod "a"',
    );
  });

  it('that cannot be written give the ids back', async () => {
    const namespaces = make();
    await namespaces.start();
    await writeFile(join(rootDir, 'pods'), 'in the way');
    await expect(namespaces.getOrCreate(podOf('a'), '')).rejects.toThrow();
    await rm(join(rootDir, 'pods'));
    expect((await namespaces.getOrCreate(podOf('b'), '')).uids).toMatchObject([{ hostId: unit }]);
  });
});

describe('support of the runtime', () => {
  it.each([
    ['old', `RuntimeClass handler "old" does not support user namespaces`],
    ['mute', `RuntimeClass handler "mute" does not support user namespaces`],
    ['gvisor', `RuntimeClass handler "gvisor" does not support user namespaces: the handler "gvisor" is not known`],
  ])('handler %s', async (name, problem) => {
    const namespaces = make();
    await namespaces.start();
    await expect(namespaces.getOrCreate(podOf('a'), name)).rejects.toMatchObject({
      message: `can't set \`spec.hostUsers: false\`, ${problem}`,
    });
  });

  it.each([
    ['does not have it', [handler('', false)]],
    ['is not listed, as an old runtime lists none', []],
  ])('where the default handler %s has a text of its own', async (_what, handlers) => {
    const deps = {
      ...{ clock: new VirtualClock(), logger: createMemoryLogger(), run: noUser },
      runtimeState: { handlers: () => handlers },
    };
    const namespaces = createFileUserNamespaces(deps, { rootDir });
    await namespaces.start();
    await expect(namespaces.getOrCreate(podOf('a'), '')).rejects.toMatchObject({
      message: "can't set `spec.hostUsers: false`, runtime does not support user namespaces",
    });
  });
});
