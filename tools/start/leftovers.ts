import { podUid, type Pod } from '@podwright/kube-types';
import { podUidLabel } from '@podwright/cri-client-interface';
import type { RuntimeChoice } from './runtime-choice.js';

/** Lines that describe what `--keep` leaves running, and the commands that remove it. */
export function describeLeftovers(
  { dir }: { readonly dir: string },
  { endCommand, endpoint, description }: Pick<RuntimeChoice, 'endCommand' | 'endpoint' | 'description'>,
  pods: readonly Pod[],
): readonly string[] {
  const crictl = `crictl --runtime-endpoint ${endpoint}`;
  const ends =
    endCommand === undefined
      ? pods.map((pod) => `${crictl} rmp -f $(${crictl} pods -q --label ${podUidLabel}=${podUid(pod)})`)
      : [endCommand];
  return [
    `pods are left running on ${description}, with their files in ${dir}; to end and remove them:`,
    ...[...ends, `rm -r ${dir}`].map((command) => `  ${command}`),
  ];
}
