import path from 'node:path';
import type { Pod } from '@podwright/kube-types';
import { tryCommand } from '@podwright/lab';

export interface PodwrightCommandOptions {
  /** The executable, dist/podwright. */
  readonly file: string;
  readonly socket: string;
  /** False when the containers are simulated: they run no commands. */
  readonly real: boolean;
  /** The user's folder. */
  readonly cwd: string;
}

/** Lines that show the pods as the command `podwright` does, and what else the user can do with it. */
export async function podwrightLines(
  pods: readonly Pod[],
  { file, socket, real, cwd }: PodwrightCommandOptions,
): Promise<readonly string[]> {
  const args = ['get', 'pods', '--all-namespaces', '-o', 'wide'];
  const { code, stdout, stderr } = await tryCommand(process.execPath, [file, '--socket', socket, ...args]);
  const command = path.relative(cwd, file);
  return [
    `$ ${command} ${args.join(' ')}`,
    ...(code === 0 ? stdout : `${stdout}${stderr}`).trimEnd().split('\n'),
    'try in another terminal:',
    `  export PODWRIGHT_SOCKET=${socket}`,
    ...examples(pods[0], real).map((example) => `  ${command} ${example}`),
  ];
}

function examples(pod: Pod | undefined, real: boolean): readonly string[] {
  if (pod === undefined) return ['run web --image=podwright.local/busybox:1 -- sleep 3600'];
  const { namespace = 'default', name = '' } = pod.metadata;
  const target = namespace === 'default' ? name : `-n ${namespace} ${name}`;
  return [
    `explain pod ${target}`,
    `describe pod ${target}`,
    ...(real ? [`logs -f ${target}`, `exec -it ${target} -- sh`] : []),
  ];
}
