import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { containerNameLabel, podNameLabel, type ContainerStatus } from '@podwright/cri-client-interface';
import { main, podManifest, script, untilTerm } from '../../acceptance/pod-manifests.js';
import { aWhile } from '../../acceptance/wait-for.js';
import { attack } from '../attack.js';
import { victim, type AttackTarget } from '../attack-target.js';
import type { Lies } from '../lying-runtime.js';

/** Above the size at which a log is rotated. */
const largeBytes = 11 * 1024 * 1024;
/** Longer than the pause between two checks of the logs. */
const checkMs = 11_500;

/** The runtime's status of each container of the pod is what `forge` makes of it. */
const forging = (pod: string, forge: (status: ContainerStatus) => Partial<ContainerStatus>): Lies => ({
  containerStatus: async (_request, truth) => {
    const answer = await truth();
    const { status } = answer;
    if (status === undefined || status.labels[podNameLabel] !== pod) return answer;
    return { ...answer, status: { ...status, ...forge(status) } };
  },
});

interface Strayed {
  readonly read: readonly string[];
  /** Log files that are not those of the pod, by name of the container that claims them, before and after. */
  readonly before: Readonly<Record<string, readonly string[]>>;
  readonly after: Readonly<Record<string, readonly string[]>>;
  readonly answers: boolean;
}

/** Writes a large log that has the secret into the folder; resolves with its path. */
async function largeLog(target: AttackTarget, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const line = `2026-01-01T00:00:00.000000000Z stdout F ${target.secret}\n`;
  const file = path.join(folder, '7.log');
  await writeFile(file, line.repeat(Math.ceil(largeBytes / line.length)));
  await writeFile(path.join(folder, '7.log.20260101-000000'), line);
  return file;
}

const listed = async (folders: Readonly<Record<string, string>>): Promise<Record<string, readonly string[]>> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(folders).map(async ([name, folder]) => [name, (await readdir(folder).catch(() => [])).sort()]),
    ),
  );

export const strayLogPaths = attack<Strayed>({
  name: 'runtime-log-paths',
  tries:
    "a runtime that claims that containers' logs are another file of the machine, also by .., or another pod's log",
  mustNot: 'the kubelet shows, rotates or removes a log that is not that of the pod',
  pastFault: 'CVE-2021-20206 class: paths from an answer that are not checked',
  attempt: async (target) => {
    const pod = 'log-liar';
    const { runtime } = target.node.kubelet.bed;
    const [known] = await runtime.running(victim);
    const ownLog = (await runtime.status(known?.id ?? '')).logPath;
    const podLogs = path.resolve(ownLog, '../../..');
    const folders = {
      outside: path.join(target.dir, 'logs-outside'),
      dotted: path.join(target.dir, 'logs-dotted'),
      neighbour: path.join(path.dirname(ownLog), '../before'),
    };
    const paths: Record<string, string> = {};
    for (const [name, folder] of Object.entries(folders)) paths[name] = await largeLog(target, folder);
    // As a text: joining would resolve it.
    paths['dotted'] = `${podLogs}/${path.relative(podLogs, paths['dotted'] ?? '')}`;
    const before = await listed(folders);
    const read: string[] = [];
    const lies = forging(pod, ({ labels }) => ({ logPath: paths[labels[containerNameLabel] ?? ''] ?? '' }));
    await target.runtime.lie(lies, async () => {
      const containers = Object.keys(folders).map((name) => main({ name, command: [...untilTerm] }));
      await target.node.create(podManifest(pod, { terminationGracePeriodSeconds: 1, containers }));
      await target.node.untilReady(pod);
      for (const name of Object.keys(folders)) {
        if ((await target.logOf(pod, name, '?tailLines=3')).includes(target.secret)) read.push(name);
      }
      await aWhile(checkMs);
      await target.node.delete(pod);
      const removed = async (): Promise<boolean> => (await runtime.containers(pod)).length === 0;
      await target.node.kubelet.waitFor('its containers are removed', removed, { withinMs: 120_000 });
    });
    const seen = { read, before, after: await listed(folders), answers: await target.answers() };
    for (const folder of Object.values(folders)) await rm(folder, { recursive: true, force: true });
    return seen;
  },
  harms: ({ read, before, after, answers }) => [
    ...(Object.values(before).some(({ length }) => length !== 2) ? ['there were no logs, so nothing was proven'] : []),
    ...read.map((name) => `the log of container ${name} shows a file that is not its log`),
    ...Object.keys(before)
      .filter((name) => before[name]?.join() !== after[name]?.join())
      .map((name) => `files of ${name} were ${before[name]?.join(', ')} and are ${after[name]?.join(', ') || 'gone'}`),
    ...(answers ? [] : ['the kubelet no longer answers']),
  ],
  weak: [
    { read: ['outside'], before: { outside: ['a', 'b'] }, after: { outside: ['a', 'b'] }, answers: true },
    { read: [], before: { outside: ['a', 'b'] }, after: { outside: [] }, answers: true },
    { read: [], before: { outside: ['a', 'b'] }, after: { outside: ['a', 'b', 'c'] }, answers: true },
    { read: [], before: { outside: [] }, after: { outside: [] }, answers: true },
    { read: [], before: { outside: ['a', 'b'] }, after: { outside: ['a', 'b'] }, answers: false },
  ],
});

interface Published {
  readonly ended: boolean;
  /** What the containers say, as the status of the pod has it. */
  readonly messages: readonly string[];
  readonly secret: string;
}

export const strayMessages = attack<Published>({
  name: 'runtime-message-paths',
  tries:
    'a runtime that claims that the termination message, or the log that stands in for it, is a file of the machine',
  mustNot: 'the status of the pod shows that file to everybody who may read pods',
  pastFault: 'CVE-2021-20206 class: paths from an answer that are not checked',
  attempt: async (target) => {
    const pod = 'message-liar';
    const log = await largeLog(target, path.join(target.dir, 'pod/container'));
    const lies = forging(pod, ({ labels, mounts }) =>
      labels[containerNameLabel] === 'by-log'
        ? { logPath: log }
        : { mounts: mounts.map((mount) => ({ ...mount, hostPath: target.secretFile })) },
    );
    return target.runtime.lie(lies, async () => {
      const command = [...script('exit 3')];
      const containers = [
        main({ name: 'by-file', command }),
        main({ name: 'by-log', command, terminationMessagePolicy: 'FallbackToLogsOnError' }),
      ];
      await target.node.create(podManifest(pod, { restartPolicy: 'Never', containers }));
      const failed = await target.node.until(pod, 'has failed', ({ status }) => status?.phase === 'Failed');
      const messages = (failed.status?.containerStatuses ?? []).map(({ state }) => state?.terminated?.message ?? '');
      await target.node.delete(pod, 0);
      return { ended: messages.length === 2, messages, secret: target.secret };
    });
  },
  harms: ({ ended, messages, secret }) => [
    ...(ended ? [] : ['the containers did not end, so nothing was proven']),
    ...messages.filter((text) => text.includes(secret)).map(() => 'the status of the pod has content of another file'),
  ],
  weak: [
    { ended: true, messages: ['', 'x secret'], secret: 'secret' },
    { ended: false, messages: [], secret: 'secret' },
  ],
});

/** What follows the true id of a container: out of the folder of log links, which is `<parent>/<folder>`. */
const escapeTo = (name: string): string => `/../../${name}`;

/** Ids have a suffix that the runtime itself never sees. */
function suffixedIds(pod: string, suffixes: Readonly<Record<string, string>>): Lies {
  const bare = (id = ''): string => id.replace(/\/.*$/, '');
  const suffixed = (id: string, labels: Readonly<Record<string, string>>): string =>
    labels[podNameLabel] === pod ? `${id}${suffixes[labels[containerNameLabel] ?? ''] ?? ''}` : id;
  // The request is the call's own object: what it names must exist.
  const unmasked = <Answer>(request: { containerId?: string | undefined }, truth: () => Answer): Answer => {
    request.containerId = bare(request.containerId);
    return truth();
  };
  return {
    createContainer: async (request, truth) => {
      const { containerId } = await truth();
      return { containerId: suffixed(containerId, (request.config?.labels ?? {}) as Record<string, string>) };
    },
    listContainers: async (_request, truth) => {
      const { containers } = await truth();
      return { containers: containers.map((each) => ({ ...each, id: suffixed(each.id, each.labels) })) };
    },
    containerStatus: async (request, truth) => {
      const answer = await unmasked(request, truth);
      const { status } = answer;
      return status === undefined
        ? answer
        : { ...answer, status: { ...status, id: suffixed(status.id, status.labels) } };
    },
    startContainer: unmasked,
    stopContainer: unmasked,
    removeContainer: unmasked,
    reopenContainerLog: unmasked,
    containerStats: unmasked,
  };
}

interface Linked {
  readonly ran: boolean;
  readonly planted: boolean;
  readonly kept: boolean;
  readonly answers: boolean;
}

export const idsWithPaths = attack<Linked>({
  name: 'runtime-ids',
  tries: 'a runtime whose ids of containers have slashes and .., so that the link to a log leads elsewhere',
  mustNot: 'the kubelet makes or removes a file outside the folder of those links',
  pastFault: 'CVE-2021-20206 class: names from an answer that become paths',
  attempt: async (target) => {
    const pod = 'id-liar';
    // The parent of the folder with links for log collectors.
    const parent = target.ours ? target.node.kubelet.dir : '/var/log';
    const [planted, kept] = ['attack-planted', 'attack-kept'].map((name) => path.join(parent, `${name}.log`));
    await writeFile(kept ?? '', target.secret);
    const names = { plants: escapeTo('attack-planted'), removes: escapeTo('attack-kept') };
    const exists = (file = ''): Promise<boolean> =>
      readFile(file, 'utf8').then(
        () => true,
        () => false,
      );
    let [ran, found] = [false, false];
    try {
      await target.runtime.lie(suffixedIds(pod, names), async () => {
        const containers = Object.keys(names).map((name) => main({ name }));
        await target.node.create(podManifest(pod, { terminationGracePeriodSeconds: 1, containers }));
        const { runtime } = target.node.kubelet.bed;
        const runs = async (): Promise<boolean> => (await runtime.running(pod)).length === 2;
        await target.node.kubelet.waitFor('its containers run', runs).then(() => (ran = true));
        await aWhile(1_000);
        found = await exists(planted);
        await target.node.delete(pod);
        const removed = async (): Promise<boolean> => (await runtime.containers(pod)).length === 0;
        await target.node.kubelet.waitFor('its containers are removed', removed, { withinMs: 120_000 });
      });
      return { ran, planted: found, kept: await exists(kept), answers: await target.answers() };
    } finally {
      for (const file of [planted, kept]) await rm(file ?? '', { force: true });
    }
  },
  harms: ({ ran, planted, kept, answers }) => [
    ...(ran ? [] : ['no container ran, so nothing was proven']),
    ...(planted ? ['a link was made outside the folder'] : []),
    ...(kept ? [] : ['a file outside the folder was removed']),
    ...(answers ? [] : ['the kubelet no longer answers']),
  ],
  weak: [
    { ran: true, planted: true, kept: true, answers: true },
    { ran: true, planted: false, kept: false, answers: true },
    { ran: true, planted: false, kept: true, answers: false },
    { ran: false, planted: false, kept: true, answers: true },
  ],
});
