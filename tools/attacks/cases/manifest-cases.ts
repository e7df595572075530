import { existsSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '@podwright/lab';
import { main, podManifest, script } from '../../acceptance/pod-manifests.js';
import { aWhile } from '../../acceptance/wait-for.js';
import { attack } from '../attack.js';
import type { AttackTarget } from '../attack-target.js';

interface HostileManifests {
  /** True when the node still ran another static pod in time. */
  readonly runsPods: boolean;
  readonly answers: boolean;
  /** Names of pods of hostile manifests that the runtime was told to run. */
  readonly ran: readonly string[];
  readonly more: readonly string[];
}

const harmsOf = ({ runsPods, answers, ran, more }: HostileManifests): readonly string[] => [
  ...(runsPods ? [] : ['the node no longer starts static pods']),
  ...(answers ? [] : ['the kubelet no longer answers']),
  ...ran.map((name) => `pod ${name} was run`),
  ...more,
];
const weak: readonly [HostileManifests, ...HostileManifests[]] = [
  { runsPods: false, answers: true, ran: [], more: [] },
  { runsPods: true, answers: false, ran: [], more: [] },
  { runsPods: true, answers: true, ran: ['x'], more: [] },
  { runsPods: true, answers: true, ran: [], more: ['a file was read'] },
];

type Content = string | Buffer;

/** Puts the files into the folder of static pods, then an honest one, and takes all away. */
async function tryManifests(
  target: AttackTarget,
  name: string,
  files: Readonly<Record<string, Content>>,
): Promise<Pick<HostileManifests, 'runsPods' | 'answers' | 'ran'>> {
  const { kubelet } = target.node;
  const honest = `after-${name}`;
  for (const [file, content] of Object.entries(files)) await kubelet.write(file, content);
  await kubelet.add(podManifest(honest));
  const { runtime } = kubelet.bed;
  const runsPods = await kubelet
    .waitFor('the honest pod runs', async () => (await runtime.running(kubelet.podName(honest))).length > 0, {
      withinMs: 60_000,
    })
    .then(
      () => true,
      () => false,
    );
  await aWhile(1_000);
  // The sandbox of a pod has its sysctls; anything else needs a container to do harm.
  const started = new Set((await runtime.running()).map(({ pod }) => pod));
  const pods = (await runtime.sandboxes()).map(({ pod }) => pod).filter((pod) => /^hostile|\.\./.test(pod));
  const ran = pods.filter((pod) => started.has(pod) || pod.includes('sysctl'));
  const answers = await target.answers();
  for (const file of [...Object.keys(files), `${honest}.json`]) await kubelet.remove(file);
  await kubelet.removed(honest);
  return { runsPods, answers, ran: [...new Set(ran)] };
}

const bomb = (): string => {
  const levels = Array.from(
    { length: 12 },
    (_, index) => `a${index + 1}: &a${index + 1} [${Array(10).fill(`*a${index}`).join(', ')}]`,
  );
  return `a0: &a0 [x, x, x]\n${levels.join('\n')}\napiVersion: v1\nkind: Pod\nmetadata: {name: hostile-bomb, labels: *a12}\n`;
};
const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);

export const manifestBombs = attack<HostileManifests>({
  name: 'manifest-bombs',
  tries:
    'static manifests that are YAML bombs, nested without end, huge, binary, pipes, links to endless devices and to secrets',
  mustNot: 'the kubelet hangs, ends, stops running pods, or shows what is behind a link',
  pastFault: 'CVE-2019-11253, CVE-2019-1002100',
  attempt: async (target) => {
    const { manifests } = target.node.kubelet;
    const [pipe, zero, link, self] = ['pipe.yaml', 'zero.yaml', 'secret.yaml', 'self.yaml'].map((file) =>
      path.join(manifests, file),
    ) as [string, string, string, string];
    await runCommand('mkfifo', [pipe]);
    await symlink('/dev/zero', zero);
    await symlink(target.secretFile, link);
    await symlink(self, self);
    await mkdir(path.join(manifests, 'folder.yaml'));
    const seen = await tryManifests(target, 'bombs', {
      'bomb.yaml': bomb(),
      'deep.json': `{"apiVersion":"v1","kind":"Pod","metadata":${nested(100_000, '{"a":', '}')}}`,
      'deep.yaml': nested(100_000, '[', ']'),
      'flow.yaml': `a: ${'{'.repeat(50_000)}`,
      'huge.yaml': Buffer.alloc(48 * 1024 * 1024, '# x\n'),
      'binary.yaml': Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256)),
      'tag.yaml': '!!js/function "function(){ throw 1 }"\n---\n!!python/object/apply:os.system ["id"]\n',
      'list.json': JSON.stringify({
        apiVersion: 'v1',
        kind: 'PodList',
        items: Array.from({ length: 20_000 }, () => null),
      }),
    });
    for (const file of [pipe, zero, link, self, path.join(manifests, 'folder.yaml')])
      await rm(file, { recursive: true });
    const shown = (await target.log()).includes(target.secret);
    return { ...seen, more: shown ? ['the log has the content of a file behind a link'] : [] };
  },
  harms: harmsOf,
  weak,
});

const long = (count: number, text = 'a'): string => text.repeat(count);

export const blowUps = attack<HostileManifests>({
  name: 'pattern-blow-up',
  tries:
    'names, labels, images, quantities, durations, variables and paths on which careless regular expressions take for ever',
  mustNot: 'the kubelet stops answering or stops running pods',
  pastFault: 'CVE-2022-3517 class: regular expressions that backtrack',
  attempt: async (target) => {
    const n = 60_000;
    const texts = [
      `${long(n)}!`,
      `${long(n, 'a-')}!`,
      `${long(n, 'a.')}_`,
      `${long(n, '1')}e`,
      `${long(n, ' ')}x`,
      `${long(n, '$(A')}`,
      `${long(n, '../')}`,
      `${long(n, 'a/')}:`,
    ];
    const files = texts.flatMap((text, index): [string, Content][] => {
      const pods = [
        podManifest(`hostile-${index}`, { containers: [main({ image: text })] }),
        podManifest(`hostile-${index}`, { containers: [main({ resources: { limits: { cpu: text, memory: text } } })] }),
        podManifest(
          `hostile-${index}`,
          { hostname: text, nodeSelector: { [text]: text } },
          { labels: { [text]: text }, annotations: { [text]: text } },
        ),
        podManifest(`hostile-${index}`, {
          containers: [
            main({
              env: [
                { name: text, value: text },
                { name: 'A', value: text },
              ],
              args: [text],
              image: `${text}@sha256:${text}`,
            }),
          ],
        }),
        podManifest(`hostile-${index}`, {
          containers: [main({ name: text, volumeMounts: [{ name: text, mountPath: text, subPath: text }] })],
          securityContext: { sysctls: [{ name: text, value: text }] },
        }),
      ];
      return pods.map((pod, kind) => [`hostile-${index}-${kind}.json`, JSON.stringify(pod)]);
    });
    return { ...(await tryManifests(target, 'patterns', Object.fromEntries(files))), more: [] };
  },
  // Some of these strings are valid where they stand; a pod that waits for an image nobody has does no harm.
  harms: ({ ran, ...rest }) => harmsOf({ ...rest, ran: ran.filter((name) => !name.startsWith('hostile-')) }),
  weak: [weak[0], { runsPods: true, answers: false, ran: [], more: [] }],
});

export const hostileNames = attack<HostileManifests>({
  name: 'names-with-paths',
  tries:
    'static pods whose uid, name, namespace, container, volume, sysctl, seccomp profile or mount has dots and slashes',
  mustNot: 'such a pod runs, or a file appears outside the folders of pods',
  pastFault: 'CVE-2023-2878, CVE-2022-0811 class: names that become paths and settings',
  attempt: async (target) => {
    const up = `${'../'.repeat(20)}${target.dir.slice(1)}/escaped`;
    const sysctl = (name: string) => ({ securityContext: { sysctls: [{ name, value: '1+2' }] } });
    const mounted = (fields: object) => [main({ volumeMounts: [{ name: 'data', mountPath: '/data', ...fields }] })];
    const volumes = [{ name: 'data', emptyDir: {} }];
    const pods: readonly object[] = [
      { ...podManifest('hostile-uid'), metadata: { name: 'hostile-uid', uid: up } },
      { ...podManifest('x'), metadata: { name: `../${up}` } },
      { ...podManifest('x'), metadata: { name: 'hostile-namespace', namespace: '..' } },
      podManifest('hostile-container', { containers: [main({ name: up })] }),
      podManifest('hostile-dots', { containers: [main({ name: '..' })] }),
      podManifest('hostile-volume', {
        volumes: [{ name: up, emptyDir: {} }],
        containers: [main({ volumeMounts: [{ name: up, mountPath: '/d' }] })],
      }),
      podManifest('hostile-subpath', { containers: mounted({ subPath: up }), volumes }),
      podManifest('hostile-absolute', { containers: mounted({ subPath: '/etc' }), volumes }),
      podManifest('hostile-sysctl', sysctl('kernel/core_pattern')),
      podManifest('hostile-sysctl-dots', sysctl('net.ipv4.../../kernel/core_pattern')),
      podManifest('hostile-sysctl-shm', sysctl('kernel.shm_rmid_forced+kernel.core_pattern')),
      podManifest('hostile-sysctl-unsafe', sysctl('kernel.msgmax')),
      podManifest('hostile-profile', {
        securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: '../../../etc/passwd' } },
      }),
      podManifest('hostile-projected', {
        volumes: [
          {
            name: 'p',
            projected: {
              sources: [{ downwardAPI: { items: [{ path: up, fieldRef: { fieldPath: 'metadata.name' } }] } }],
            },
          },
        ],
        containers: [main({ volumeMounts: [{ name: 'p', mountPath: '/p' }] })],
      }),
      podManifest('hostile-host-path', {
        volumes: [{ name: 'h', hostPath: { path: `/tmp/../${target.dir}` } }],
        containers: [main({ volumeMounts: [{ name: 'h', mountPath: '/h' }] })],
      }),
    ];
    const files = Object.fromEntries(pods.map((pod, index) => [`names-${index}.json`, JSON.stringify(pod)]));
    const seen = await tryManifests(target, 'names', files);
    return {
      ...seen,
      more: existsSync(path.join(target.dir, 'escaped')) ? ['a file appeared outside the folders of pods'] : [],
    };
  },
  harms: harmsOf,
  weak,
});

const secured = (securityContext: object): object[] => [main({ securityContext })];

export const emptySecurity = attack<HostileManifests>({
  name: 'empty-security-fields',
  tries: 'static pods with empty or unknown seccomp, AppArmor, procMount, capability, user and host-namespace fields',
  mustNot: 'such a pod runs, with less confinement than it names',
  pastFault: 'CVE-2023-2431',
  attempt: async (target) => {
    const contexts: readonly object[] = [
      ...['Localhost', '', 'unconfined', 'runtimedefault'].map((type) => ({ seccompProfile: { type } })),
      { seccompProfile: { type: 'Localhost', localhostProfile: '' } },
      { seccompProfile: { type: 'Localhost', localhostProfile: ' ' } },
      { seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'x.json' } },
      { seccompProfile: {} },
      { appArmorProfile: { type: 'Localhost', localhostProfile: '' } },
      { appArmorProfile: { type: '' } },
      { procMount: 'unmasked' },
      { runAsUser: -1 },
      { privileged: true, allowPrivilegeEscalation: false },
      { capabilities: { add: ['CAP_SYS_ADMIN'] }, allowPrivilegeEscalation: false },
    ];
    const pods: readonly object[] = [
      ...contexts.map((context, index) =>
        podManifest(`hostile-context-${index}`, { containers: secured(context) as never }),
      ),
      podManifest('hostile-pod-profile', { securityContext: { seccompProfile: { type: 'Localhost' } } }),
      podManifest('hostile-pid', { shareProcessNamespace: true, hostPID: true }),
      podManifest('hostile-users', { hostUsers: false, hostNetwork: true }),
    ];
    const files = Object.fromEntries(pods.map((pod, index) => [`fields-${index}.json`, JSON.stringify(pod)]));
    const seen = await tryManifests(target, 'fields', files);
    return { ...seen, more: [] };
  },
  harms: harmsOf,
  weak,
});

export const staticReferences = attack<HostileManifests>({
  name: 'static-pod-references',
  tries:
    'static pods that use secrets, config maps, accounts, claims and device claims of the API, or pose as mirror pods',
  mustNot: 'such a pod runs: who writes manifests would read what the API server guards',
  pastFault: 'CVE-2025-4563, CVE-2025-1767 class',
  attempt: async (target) => {
    const volume = (source: object) => ({
      volumes: [{ name: 'v', ...source }],
      containers: [main({ volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
    });
    const env = (valueFrom: object) => ({ containers: [main({ env: [{ name: 'X', valueFrom }] })] });
    const specs: readonly object[] = [
      volume({ secret: { secretName: 'any' } }),
      volume({ configMap: { name: 'kube-root-ca.crt' } }),
      volume({ projected: { sources: [{ secret: { name: 'any' } }] } }),
      volume({ projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }),
      volume({ persistentVolumeClaim: { claimName: 'any' } }),
      volume({
        ephemeral: {
          volumeClaimTemplate: {
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
          },
        },
      }),
      env({ secretKeyRef: { name: 'any', key: 'x', optional: true } }),
      env({ configMapKeyRef: { name: 'kube-root-ca.crt', key: 'ca.crt', optional: true } }),
      { containers: [main({ envFrom: [{ secretRef: { name: 'any', optional: true } }] })] },
      { serviceAccountName: 'default' },
      { resourceClaims: [{ name: 'c', resourceClaimName: 'any' }] },
    ];
    const pods = specs.map((spec, index) => podManifest(`hostile-reference-${index}`, spec));
    const files = Object.fromEntries(pods.map((pod, index) => [`references-${index}.json`, JSON.stringify(pod)]));
    // A pod of the API that poses as the mirror of a static pod has no such pod behind it.
    const mirror = {
      'kubernetes.io/config.mirror': 'x',
      'kubernetes.io/config.hash': 'x',
      'kubernetes.io/config.source': 'file',
    };
    await target.node
      .create(
        podManifest(
          'hostile-mirror',
          { containers: [main({ command: [...script('sleep 1000')] })] },
          { annotations: mirror },
        ),
      )
      .catch(() => undefined);
    const seen = await tryManifests(target, 'references', files);
    await target.node.delete('hostile-mirror', 0).catch(() => undefined);
    return { ...seen, more: [] };
  },
  harms: harmsOf,
  weak,
});
