import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { refuseOtherPods } from './other-pods.js';

describe('a run on a runtime of the machine', () => {
  let proc = '';
  beforeEach(async () => {
    proc = await mkdtemp(path.join(tmpdir(), 'other-pods-'));
  });
  afterEach(() => rm(proc, { recursive: true }));

  const runs = async (id: string, cgroup: string): Promise<void> => {
    await mkdir(path.join(proc, id));
    await writeFile(path.join(proc, id, 'cgroup'), `4:memory:${cgroup}\n0::/\n`);
  };

  it.each(['/kubepods/besteffort/pod1/c', '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1.slice/c'])(
    'is refused beside containers of a kubelet in %s, unless it has a cgroup of its own',
    async (cgroup) => {
      await runs('7', cgroup);
      await expect(refuseOtherPods([], proc)).rejects.toThrow('two kubelets there kill each other');
      await refuseOtherPods(['--cgroup-root=/mine'], proc);
    },
  );

  it('starts beside pods below another cgroup root, and beside what is no container', async () => {
    await runs('7', '/lab/kubepods/besteffort/pod1/c');
    await runs('8', '/kubepods');
    await mkdir(path.join(proc, '9'));
    await refuseOtherPods([], proc);
  });
});
