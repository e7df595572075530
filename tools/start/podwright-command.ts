import path from 'node:path';
import type { Pod } from '@podwright/kube-types';
import { tryCommand } from '@podwright/lab';

export interface PodwrightCommandOptions {
  /** The executable, dist/podwright. */
  readonly file: string;
  readonly socket: string;
  /** True for a node of a cluster: its kubelet explains, and kubectl does the rest. */
  readonly ofCluster: boolean;
  /** False when the run ends now: then there is nothing to try. */
  readonly runsOn: boolean;
  /** False when the containers are simulated: they run no commands. */
  readonly real: boolean;
  /** The user's folder. */
  readonly cwd: string;
}

/** Lines that show the pods as the command `podwright` does, and what else the user can do with it. */
export async function podwrightLines(
  pods: readonly Pod[],
  options: PodwrightCommandOptions,
): Promise<readonly string[]> {
  const command = path.relative(options.cwd, options.file);
  const tried = options.runsOn
    ? [
        'try in another terminal:',
        `  export PODWRIGHT_SOCKET=${options.socket}`,
        ...examples(pods[0], options).map((example) => `  ${command} ${example}`),
      ]
    : [];
  return [...(options.ofCluster ? [] : await shownPods(command, options)), ...tried];
}

async function shownPods(command: string, { file, socket }: PodwrightCommandOptions): Promise<readonly string[]> {
  const args = ['get', 'pods', '--all-namespaces', '-o', 'wide'];
  const { code, stdout, stderr } = await tryCommand(process.execPath, [file, '--socket', socket, ...args]);
  return [`$ ${command} ${args.join(' ')}`, ...(code === 0 ? stdout : `${stdout}${stderr}`).trimEnd().split('\n')];
}

function examples(
  pod: Pod | undefined,
  { real, ofCluster }: Pick<PodwrightCommandOptions, 'real' | 'ofCluster'>,
): readonly string[] {
  if (pod === undefined)
    return [ofCluster ? 'explain node' : 'run web --image=podwright.local/busybox:1 -- sleep 3600'];
  const { namespace = 'default', name = '' } = pod.metadata;
  const target = namespace === 'default' ? name : `-n ${namespace} ${name}`;
  if (ofCluster) return [`explain pod ${target}`, 'explain node'];
  return [
    `explain pod ${target}`,
    `describe pod ${target}`,
    ...(real ? [`logs -f ${target}`, `exec -it ${target} -- sh`] : []),
  ];
}
