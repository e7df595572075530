import assert from 'node:assert/strict';
import { readFile, readlink, writeFile } from 'node:fs/promises';
import { tryCommand } from '@podwright/lab';
import { podManifest } from '../../pod-manifests.js';
import type { GuestCase } from '../guest-case.js';
import { GuestCluster } from '../guest-cluster.js';
import { exists, run, runOutput } from '../guest-commands.js';
import { firstBootConfiguration } from '../guest-configuration.js';
import { KUBELET_ROOT, NODE_NAME, type GuestNode } from '../guest-node.js';

const PACKAGE = 'podwright-kubelet';
/** The package, and one of a later version. */
export const DEBS = { first: 'kubelet-first.deb', later: 'kubelet-later.deb' } as const;
const DEFAULTS = '/etc/default/kubelet';
const name = 'packaged';

async function property(field: string): Promise<string> {
  return (await runOutput('systemctl', 'show', '--value', '--property', field, 'kubelet.service')).trim();
}

/** An installation waits until the kubelet is ready. */
async function dpkg(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await tryCommand('dpkg', args, { timeoutMs: 300_000 });
  assert.equal(code, 0, `dpkg ${args.join(' ')}: ${stderr}`);
  return stdout;
}

const version = async (): Promise<string> => runOutput('dpkg-query', '--show', '--showformat=${Version}', PACKAGE);

/** Writes what `kubeadm join` writes. */
async function prepareAsKubeadm(node: GuestNode): Promise<void> {
  await GuestCluster.start(node, '/etc/kubernetes/kubelet.conf');
  await node.configure(firstBootConfiguration, `${KUBELET_ROOT}/config.yaml`);
  const flags = `--hostname-override=${NODE_NAME} --node-ip=10.88.0.1`;
  await writeFile(`${KUBELET_ROOT}/kubeadm-flags.env`, `KUBELET_KUBEADM_ARGS="${flags}"\n`);
}

/** The process of the unit, which has to be the packaged program and ready. */
async function kubeletProcess(node: GuestNode): Promise<string> {
  assert.equal(await property('Type'), 'notify');
  await node.waitFor('the unit is active', async () => (await property('ActiveState')) === 'active');
  await node.untilUp();
  const pid = await property('MainPID');
  assert.equal(await readlink(`/proc/${pid}/exe`), '/usr/bin/kubelet');
  return pid;
}

const lifeOfPackage: GuestCase = {
  name: 'the Debian package is installed, upgraded under a running pod with its changed settings, removed and purged',
  boot: 1,
  extra: true,
  timeoutMs: 600_000,
  run: async (node) => {
    await node.uninstall();
    await dpkg('--install', `/podwright/${DEBS.first}`);
    const files = (await dpkg('--listfiles', PACKAGE)).trim().split('\n');
    // There is nothing to start yet.
    assert.deepEqual([await property('ActiveState'), await property('UnitFileState')], ['inactive', 'enabled']);

    await prepareAsKubeadm(node);
    await run('systemctl', '--no-block', 'start', 'kubelet.service');
    const pid = await kubeletProcess(node);
    await node.add(podManifest(name));
    await node.running(name);
    const [container] = await node.runtime.running(node.podName(name));

    await writeFile(DEFAULTS, 'KUBELET_EXTRA_ARGS=--v=3\n');
    const first = await version();
    await dpkg('--install', `/podwright/${DEBS.later}`);
    assert.notEqual(await version(), first);
    const upgraded = await kubeletProcess(node);
    assert.notEqual(upgraded, pid);
    assert.match(await readFile(`/proc/${upgraded}/cmdline`, 'utf8'), /--node-ip=10\.88\.0\.1\0--v=3\0/);
    const pod = await node.running(name);
    assert.equal(pod.status?.containerStatuses?.[0]?.containerID, `containerd://${container?.id ?? ''}`);
    assert.equal(pod.status?.containerStatuses?.[0]?.restartCount, 0);

    await dpkg('--remove', PACKAGE);
    assert.equal(await exists(`/proc/${upgraded}`), false);
    assert.equal(await readFile(DEFAULTS, 'utf8'), 'KUBELET_EXTRA_ARGS=--v=3\n');
    assert.deepEqual(await node.runtime.running(node.podName(name)), [container]);
    // A removed package that comes back is no upgrade: its kubelet starts.
    await dpkg('--install', `/podwright/${DEBS.later}`);
    await kubeletProcess(node);
    await dpkg('--purge', PACKAGE);
    const left = [];
    for (const file of files.filter((each) => each.includes('kubelet'))) if (await exists(file)) left.push(file);
    assert.deepEqual(left, [KUBELET_ROOT]); // it has the pods
    assert.equal(await property('LoadState'), 'not-found');
    assert.equal(await runOutput('find', '/etc', '/usr', '/var/lib/systemd', '-name', '*kubelet.service*'), '');
  },
};

/** At the end: from here on there is no kubelet. */
export const debianPackageCases: readonly GuestCase[] = [lifeOfPackage];
