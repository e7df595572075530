import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { identityOf, type Lab } from '@podwright/lab';
import { main, podManifest } from '../../acceptance/pod-manifests.js';
import { waitFor } from '../../acceptance/wait-for.js';
import { attack } from '../attack.js';

const own = 'own.invalid';
const other = 'other.invalid';
const password = 'provider-password-3f2a9c';
const mostGrownMiB = 150;
const apiVersion = 'credentialprovider.kubelet.k8s.io/v1';

/** The folder of the plugin of a lab, whose script a case replaces. */
const folderOf = ({ dir }: Lab): string => path.join(dir, 'credential-plugin');

/** Flags for a kubelet that asks a plugin for the credentials of images of {@link own}. */
export async function providerFlags(lab: Lab): Promise<readonly string[]> {
  const folder = folderOf(lab);
  await mkdir(path.join(folder, 'bin'), { recursive: true });
  await writeFile(path.join(folder, 'bin/hostile'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const provider = { name: 'hostile', apiVersion, matchImages: [own], defaultCacheDuration: '1m' };
  const kind = { apiVersion: 'kubelet.config.k8s.io/v1', kind: 'CredentialProviderConfig' };
  await writeFile(path.join(folder, 'config.yaml'), JSON.stringify({ ...kind, providers: [provider] }));
  const flags = ['--image-credential-provider-config', path.join(folder, 'config.yaml')];
  return [...flags, '--image-credential-provider-bin-dir', path.join(folder, 'bin')];
}

/** Registries on loopback with these names that want a password from everybody, and note what they are given. */
async function greedyRegistries(lab: Lab, names: readonly string[]): Promise<{ given: string[]; stop: () => void }> {
  const given: string[] = [];
  const server = createServer(({ headers }, response) => {
    const name = headers['x-registry'] ?? '';
    const [, encoded = ''] = /^Basic (.*)$/.exec(headers.authorization ?? '') ?? [];
    given.push(`${String(name)} ${Buffer.from(encoded, 'base64').toString()}`);
    response.writeHead(encoded === '' ? 401 : 403, { 'WWW-Authenticate': 'Basic realm="x"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const name of names) {
    const folder = path.join(lab.layout.hostsDir, name);
    await mkdir(folder, { recursive: true });
    const hosts = `server = "${url}"\n[host."${url}"]\n  capabilities = ["pull", "resolve"]\n  [host."${url}".header]\n    x-registry = "${name}"\n`;
    await writeFile(path.join(folder, 'hosts.toml'), hosts);
  }
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { given, stop };
}

interface Asked {
  /** Whether the plugin's password reached the registry that it is for. */
  readonly works: boolean;
  /** What the other registry was given. */
  readonly stray: readonly string[];
  /** Ways to misbehave after which a pull did not come to an end. */
  readonly stuck: readonly string[];
  /** Processes of the plugin that outlived it. */
  readonly left: number;
  readonly logged: boolean;
  readonly grownMiB: number;
  readonly answers: boolean;
}

export const hostileProvider = attack<Asked>({
  name: 'credential-plugin',
  tries:
    'a credential plugin with passwords for every registry and odd cache keys, 1.5 GB of output, one that never ends and one that leaves a process behind',
  mustNot:
    'a registry gets a password that the plugin has no business with, a pull never ends, a process stays, the log has the password, or the kubelet grows or ends',
  pastFault: 'credentials of one registry that reached another; memory by the output of a plugin',
  attempt: async (target) => {
    const { node } = target;
    const { lab } = node.kubelet.bed;
    const before = await target.memoryMiB();
    const folder = folderOf(lab);
    const auth = Object.fromEntries(
      [own, other, '*', '', '../..', '*.invalid', `${other}/*`, '127.0.0.1'].map((registry) => [
        registry,
        { username: 'plugin', password },
      ]),
    );
    const answer = JSON.stringify({ apiVersion, kind: 'CredentialProviderResponse', cacheKeyType: 'Global', auth });
    const scripts: Readonly<Record<string, string>> = {
      greedy: `cat >/dev/null; echo '${answer}'`,
      // More than any answer, and less than a machine has.
      flood: `echo $$ >> '${folder}/pids'; yes ${password} | head -c 1500000000; exec sleep 1000`,
      orphan: `sleep 1000 & echo $! >> '${folder}/pids'; echo nonsense`,
    };
    const { given, stop } = await greedyRegistries(lab, [own, other]);
    const stuck: string[] = [];
    const pull = async (name: string, image: string): Promise<void> => {
      const containers = [main({ image, imagePullPolicy: 'Always' })];
      await node.create(podManifest(name, { containers }));
      const reason = /^(ErrImagePull|ImagePullBackOff)$/;
      await node
        .until(
          name,
          'is refused',
          ({ status }) => reason.test(status?.containerStatuses?.[0]?.state?.waiting?.reason ?? ''),
          // A plugin has a minute.
          { withinMs: 90_000 },
        )
        .catch(() => void stuck.push(name));
      await node.delete(name, 0);
    };
    try {
      for (const [name, script] of Object.entries(scripts)) {
        if (name === 'greedy') continue;
        await writeFile(path.join(folder, 'bin/hostile'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
        await pull(`plugin-${name}`, `${own}/${name}:1`);
      }
      await writeFile(path.join(folder, 'bin/hostile'), `#!/bin/sh\n${scripts['greedy']}\n`, { mode: 0o755 });
      await pull('plugin-own', `${own}/greedy:1`);
      await pull('plugin-other', `${other}/greedy:1`);
    } finally {
      stop();
    }
    const pids = (await readFile(path.join(folder, 'pids'), 'utf8').catch(() => '')).trim().split('\n');
    const alive = (): number => pids.filter((pid) => pid !== '' && isAlive(Number(pid))).length;
    // One that holds the output of the plugin open keeps the kubelet waiting for the minute that a plugin may take.
    await waitFor('the processes of the plugin are gone', async () => alive() === 0, { withinMs: 70_000 }).catch(
      () => false,
    );
    const left = alive();
    for (const pid of pids.map(Number).filter((each) => each > 0 && isAlive(each))) process.kill(pid, 'SIGKILL');
    return {
      works: given.some((line) => line === `${own} plugin:${password}`),
      stray: given.filter((line) => line.startsWith(other) && line.includes(password)),
      stuck,
      left,
      logged: (await target.log()).includes(password),
      grownMiB: (await target.memoryMiB()) - before,
      answers: await target.answers(),
    };
  },
  harms: ({ works, stray, stuck, left, logged, grownMiB, answers }) => [
    ...(works ? [] : ['the plugin was of no use to its own registry, so nothing was proven']),
    ...(stray.length > 0 ? ['another registry got the password of the plugin'] : []),
    ...stuck.map((name) => `the pull of ${name} did not come to an end`),
    ...(left > 0 ? [`${left} processes of the plugin are left`] : []),
    ...(logged ? ['the log has the password'] : []),
    ...(grownMiB > mostGrownMiB ? [`the kubelet grew by ${grownMiB.toFixed(0)} MiB`] : []),
    ...(answers ? [] : ['the kubelet no longer answers']),
  ],
  weak: [
    { works: false, stray: [], stuck: [], left: 0, logged: false, grownMiB: 0, answers: true },
    { works: true, stray: [other], stuck: [], left: 0, logged: false, grownMiB: 0, answers: true },
    { works: true, stray: [], stuck: ['flood'], left: 0, logged: false, grownMiB: 0, answers: true },
    { works: true, stray: [], stuck: [], left: 1, logged: false, grownMiB: 0, answers: true },
    { works: true, stray: [], stuck: [], left: 0, logged: true, grownMiB: 0, answers: true },
    { works: true, stray: [], stuck: [], left: 0, logged: false, grownMiB: 900, answers: true },
    { works: true, stray: [], stuck: [], left: 0, logged: false, grownMiB: 0, answers: false },
  ],
});

// One that has ended is a zombie until its parent, here the first process of the machine, asks for it.
const isAlive = (pid: number): boolean => identityOf(pid) !== undefined;
