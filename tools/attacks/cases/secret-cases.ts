import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { secrets } from '@podwright/kube-client-interface';
import type { Secret } from '@podwright/kube-types';
import { isMissing } from '@podwright/errors';
import { labImages } from '@podwright/lab';
import { main, podManifest, script } from '../../acceptance/pod-manifests.js';
import { attack } from '../attack.js';
import type { AttackTarget } from '../attack-target.js';

const password = 'registry-password-5d41402abc4b2a76';
const value = 'secret-value-7d793037a0760186';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A pod with a secret as variable and volume, and one whose image needs a password. */
async function usesSecrets(target: AttackTarget): Promise<void> {
  const { admin } = target.node;
  if ((await target.node.find(secrets, { namespace: 'default', name: 'hidden' })) !== undefined) return;
  const config = JSON.stringify({
    auths: { '127.0.0.1:9': { username: 'u', password, auth: base64(`u:${password}`) } },
  });
  const make = (name: string, type: string, data: Readonly<Record<string, string>>): Promise<Secret> =>
    admin.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'default' }, type, data });
  await make('hidden', 'Opaque', { key: base64(value) });
  await make('pull', 'kubernetes.io/dockerconfigjson', { '.dockerconfigjson': base64(config) });
  const containers = [
    main({
      env: [{ name: 'HIDDEN', valueFrom: { secretKeyRef: { name: 'hidden', key: 'key' } } }],
      volumeMounts: [{ name: 'hidden', mountPath: '/hidden' }],
    }),
  ];
  const volumes = [{ name: 'hidden', secret: { secretName: 'hidden' } }];
  await target.node.create(podManifest('secretive', { terminationGracePeriodSeconds: 1, containers, volumes }));
  const pulls = [main({ image: '127.0.0.1:9/private:1', imagePullPolicy: 'Always' })];
  await target.node.create(podManifest('puller', { containers: pulls, imagePullSecrets: [{ name: 'pull' }] }));
  await target.node.untilReady('secretive');
  await target.node.untilEvent('puller', 'Failed', /./);
}

interface Logged {
  /** True when the log names the pods, so that it is the log of what happened. */
  readonly proof: boolean;
  readonly shown: readonly string[];
}

export const tokensInLogs = attack<Logged>({
  name: 'secrets-in-logs',
  tries:
    'with the most verbose log: callers with tokens, pods with secrets, tokens of accounts, a pull with a password',
  mustNot: 'the log, an event or a status has a token, a password or the value of a secret',
  pastFault: 'CVE-2019-11250, CVE-2020-8564, CVE-2020-8565',
  attempt: async (target) => {
    await usesSecrets(target);
    await target.call({ path: '/pods' }, 'stranger');
    await target.call({ path: '/metrics' }, 'metrics-reader');
    const token = (await target.inPod('secretive', 'cat /var/run/secrets/kubernetes.io/serviceaccount/token')).trim();
    const events = JSON.stringify([await target.node.events('puller'), await target.node.pod('puller')]);
    const log = await target.log();
    const hidden = {
      'the token of a caller': 'stranger-token-0123456789abcdef',
      'the token of another caller': 'metrics-reader-token-0123456789abcdef',
      'the value of a secret': value,
      'the value of a secret in base64': base64(value),
      'the password of a registry': password,
      'the password of a registry in base64': base64(`u:${password}`),
      'the token of an account': token,
    };
    const shown = Object.entries(hidden)
      .filter(([, text]) => text !== '' && (log.includes(text) || events.includes(text)))
      .map(([what]) => what);
    return { proof: log.includes('secretive') && log.includes('puller') && token.length > 100, shown };
  },
  harms: ({ proof, shown }) => [
    ...(proof ? [] : ['the log does not name the pods, so it proves nothing']),
    ...shown.map((what) => `${what} is written where others read it`),
  ],
  weak: [
    { proof: true, shown: ['the token of a caller'] },
    { proof: false, shown: [] },
  ],
});

interface Readable {
  /** Number of files with secrets that were found. */
  readonly secretFiles: number;
  readonly open: readonly string[];
}

const othersMayRead = 0o004;
const othersMayWrite = 0o002;
const othersMayEnter = 0o001;
const largestBytes = 4 * 1024 * 1024;

export const readableFiles = attack<Readable>({
  name: 'files-of-others',
  tries: "every file and socket below the kubelet's folders, as a user of the machine without rights",
  mustNot:
    'a private key, a token or the value of a secret is readable, or a socket or file of the kubelet is writable',
  pastFault: 'CVE-2023-2878, CVE-2017-1002102 class',
  attempt: async (target) => {
    await usesSecrets(target);
    const found: { secretFiles: number; open: string[] } = { secretFiles: 0, open: [] };
    const walk = async (folder: string, reachable: boolean): Promise<void> => {
      for (const name of await readdir(folder)) {
        const file = path.join(folder, name);
        try {
          const stats = await lstat(file);
          if (stats.isDirectory()) {
            await walk(file, reachable && (stats.mode & othersMayEnter) !== 0);
            continue;
          }
          if (stats.isSocket() && reachable && (stats.mode & othersMayWrite) !== 0)
            found.open.push(`${file} is an open socket`);
          if (!stats.isFile() || stats.size > largestBytes) continue;
          if (reachable && (stats.mode & othersMayWrite) !== 0) found.open.push(`${file} is writable for all`);
          const content = await readFile(file, 'latin1');
          if (!content.includes(value) && !content.includes('PRIVATE KEY') && !content.includes(password)) continue;
          found.secretFiles += 1;
          if (reachable && (stats.mode & othersMayRead) !== 0) found.open.push(`${file} is readable for all`);
        } catch (error) {
          if (!isMissing(error)) throw error;
        }
      }
    };
    for (const folder of [target.root, path.join(target.node.kubelet.dir, 'pki')]) {
      await walk(folder, ((await lstat(folder)).mode & othersMayEnter) !== 0);
    }
    return found;
  },
  harms: ({ secretFiles, open }) => [
    ...(secretFiles === 0 ? ['no file with a secret was found, so nothing was proven'] : []),
    ...open,
  ],
  weak: [
    { secretFiles: 3, open: ['pki/kubelet.key is readable for all'] },
    { secretFiles: 0, open: [] },
  ],
});

interface Written {
  readonly proof: boolean;
  readonly forged: readonly string[];
}

export const escapeSequences = attack<Written>({
  name: 'escape-sequences',
  tries: 'terminal sequences and line breaks in termination messages, probe output, paths and user agents of requests',
  mustNot: 'the log has a raw escape character, or a line that a container or a caller wrote',
  pastFault: 'CVE-2021-25743',
  attempt: async (target) => {
    const escape = '\\033]0;owned\\007\\033[2J';
    const forged = 'E1126 00:00:00.000000       1 forged.go:1] owned';
    const containers = [
      main({
        command: [...script(`printf '${escape}\\n${forged}\\n' >/dev/termination-log; sleep 1; exit 3`)],
        startupProbe: {
          exec: { command: ['sh', '-c', `printf '${escape}\\n${forged}\\n'; exit 1`] },
          periodSeconds: 1,
          failureThreshold: 100,
        },
      }),
    ];
    await target.node.create(podManifest('terminal', { terminationGracePeriodSeconds: 1, containers }));
    await target.node.until(
      'terminal',
      'has ended once',
      ({ status }) => (status?.containerStatuses?.[0]?.restartCount ?? 0) > 0,
    );
    for (const path of ['/\x1b[2Jpods', '/%1b%5b2J%0aE1126%20forged', '/pods?x=\x1b[2J']) {
      await target.call({ path, headers: ['User-Agent: \x1b]0;owned\x07'] }, 'operator');
    }
    await target.node.delete('terminal');
    const log = await target.log();
    return {
      proof: log.includes('terminal'),
      forged: [
        ...(log.includes('\x1b') ? ['a raw escape character'] : []),
        ...(log.split('\n').some((line) => line.startsWith(forged)) ? ['a line that a container wrote'] : []),
      ],
    };
  },
  harms: ({ proof, forged }) => [
    ...(proof ? [] : ['the log does not name the pod, so it proves nothing']),
    ...forged.map((what) => `the log has ${what}`),
  ],
  weak: [
    { proof: true, forged: ['a raw escape character'] },
    { proof: false, forged: [] },
  ],
});

export const nonRoot = attack<{ readonly users: readonly string[] }>({
  name: 'root-after-restart',
  tries: 'a container with runAsNonRoot whose image names another user, before and after its restart',
  mustNot: 'it is root, the second time',
  pastFault: 'CVE-2019-11245',
  attempt: async (target) => {
    const containers = [
      main({
        image: labImages.numericUser,
        command: [...script('id -u; sleep 1; exit 1')],
        securityContext: { runAsNonRoot: true },
      }),
    ];
    await target.node.create(podManifest('restarts', { terminationGracePeriodSeconds: 1, containers }));
    await target.node.until(
      'restarts',
      'runs again',
      ({ status }) => (status?.containerStatuses?.[0]?.restartCount ?? 0) > 0,
    );
    const users = [await target.logOf('restarts', 'main', '?previous=true'), await target.logOf('restarts')];
    await target.node.delete('restarts');
    return { users: users.map((text) => text.trim()) };
  },
  harms: ({ users }) =>
    users.flatMap((user, index) => (user === '1000' ? [] : [`start ${index + 1} ran as user "${user}", not 1000`])),
  weak: [{ users: ['1000', '0'] }, { users: ['1000', ''] }],
});
