import { readdir, readFile } from 'node:fs/promises';
import { main, podManifest, script } from '../../acceptance/pod-manifests.js';
import { aWhile, waitFor } from '../../acceptance/wait-for.js';
import { attack } from '../attack.js';
import { victim, type AttackTarget } from '../attack-target.js';

/** `podPidsLimit` of the kubelet under attack: no other case needs so many processes. */
export const pidsLimit = 400;

/** Processes of the machine whose command has the text. */
async function countOf(mark: string): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return commands.filter((command) => command.includes(mark)).length;
}

interface Outlived {
  /** The most processes of the pod that were there at once. */
  readonly peak: number;
  /** Processes that are there when the pod is not. */
  readonly left: number;
  readonly gone: boolean;
  /** Whether the other pod runs in the container in which it ran. */
  readonly untouched: boolean;
  readonly answers: boolean;
  readonly runsPods: boolean;
}

const containerOf = async ({ node }: AttackTarget): Promise<string> =>
  (await node.pod(victim))?.status?.containerStatuses?.[0]?.containerID ?? '';

/** Runs the pod until it has had its time, deletes it, and counts what is left of it. */
async function outlived(target: AttackTarget, pod: ReturnType<typeof podManifest>, mark: string): Promise<Outlived> {
  const { name } = pod.metadata;
  await target.victim();
  const before = await containerOf(target);
  await target.node.create(pod);
  await waitFor('it runs', async () => (await countOf(mark)) > 2, { withinMs: 60_000 }).catch(() => false);
  let peak = 0;
  for (let look = 0; look < 15; look += 1) {
    peak = Math.max(peak, await countOf(mark));
    await aWhile(200);
  }
  await target.node.delete(name);
  const gone = await target.node.untilGone(name, { withinMs: 90_000 }).then(
    () => true,
    () => false,
  );
  await target.node.untilEnded(name, { withinMs: 30_000 }).catch(() => undefined);
  await waitFor('nothing is left', async () => (await countOf(mark)) === 0, { withinMs: 5_000 }).catch(() => false);
  return {
    ...{ peak, gone, left: await countOf(mark), answers: await target.answers() },
    untouched: (await containerOf(target)) === before,
    runsPods: await target.runsPods(`after-${name}`),
  };
}

const harmsOf = ({ peak, left, gone, untouched, answers, runsPods }: Outlived): readonly string[] => [
  ...(peak > 2 ? [] : ['there were no processes, so nothing was proven']),
  ...(peak > pidsLimit ? [`the pod had ${peak} processes and may have ${pidsLimit}`] : []),
  ...(gone ? [] : ['the pod does not go']),
  ...(left > 0 ? [`${left} processes outlive their pod`] : []),
  ...(untouched ? [] : ['another pod was started anew']),
  ...(answers ? [] : ['the kubelet no longer answers']),
  ...(runsPods ? [] : ['the node no longer runs pods']),
];

const well: Outlived = { peak: 50, left: 0, gone: true, untouched: true, answers: true, runsPods: true };
const weak: readonly [Outlived, ...Outlived[]] = [
  { ...well, peak: 0 },
  { ...well, peak: pidsLimit + 1 },
  { ...well, left: 3 },
  { ...well, gone: false },
  { ...well, untouched: false },
  { ...well, answers: false },
  { ...well, runsPods: false },
];

const quickEnd = { terminationGracePeriodSeconds: 1 } as const;
const bomb = 'bomb-under-attack';
// Little of the processor, so that the machine stays usable.
const limits = { cpu: '300m', memory: '256Mi' };

export const forkBomb = attack<Outlived>({
  name: 'process-bomb',
  tries: 'a pod whose processes fork without end, ignore signals and leave their session, removed meanwhile',
  mustNot: 'it has more processes than a pod may have, a process outlives the pod, or the pod does not go',
  pastFault: 'processes without a limit, and those that outlive their pod',
  attempt: (target) => {
    const one = `trap "" TERM INT HUP; while :; do setsid sh -c "$BODY" & sleep 0.1; done; : ${bomb}`;
    const containers = [
      main({ command: [...script('sh -c "$BODY"')], env: [{ name: 'BODY', value: one }], resources: { limits } }),
    ];
    return outlived(target, podManifest('bomb', { ...quickEnd, containers }), bomb);
  },
  harms: harmsOf,
  weak,
});

const mover = 'mover-under-attack';

export const movingProcesses = attack<Outlived>({
  name: 'process-moves',
  tries:
    'a privileged pod that moves its processes without a pause into the cgroups of the kubelet and of another pod, removed meanwhile',
  mustNot: 'a process outlives the pod, another pod suffers from the removal, or the pod does not go',
  pastFault: 'races between what is in a cgroup and what is killed',
  attempt: (target) => {
    const { cgroupRoot } = target.node.kubelet.bed.lab;
    const child = `trap "" TERM; while :; do sleep 1; done; : ${mover}`;
    const moves = `while :; do
      sh -c '${child}' & p=$!
      for f in $(find /cgroups -path '*${cgroupRoot}/*' -name cgroup.procs); do echo $p > $f; done 2>/dev/null
    done`;
    const containers = [
      main({
        command: [...script(moves)],
        securityContext: { privileged: true },
        resources: { limits },
        volumeMounts: [{ name: 'cgroups', mountPath: '/cgroups' }],
      }),
    ];
    const volumes = [{ name: 'cgroups', hostPath: { path: '/sys/fs/cgroup' } }];
    return outlived(target, podManifest('mover', { ...quickEnd, containers, volumes }), mover);
  },
  harms: harmsOf,
  weak,
});
