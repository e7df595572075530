import type { Container, Pod } from '@podwright/kube-types';
import { main, podManifest, script } from '../../acceptance/pod-manifests.js';
import { attack, type Attack } from '../attack.js';

interface Filled {
  /** What the pod said at the end. */
  readonly phase: string;
  readonly reason: string;
}

const limitMi = 8;
const writtenMi = 48;

/** A pod that may use a few MiB of disk writes many to a place outside its volumes. */
function fills(parts: Pick<Attack, 'name' | 'pastFault'> & { readonly where: string; readonly write: string }): Attack {
  const { name, pastFault, where, write } = parts;
  return attack<Filled>({
    name,
    tries: `a container that may use ${limitMi} MiB of disk writes ${writtenMi} MiB ${where}`,
    mustNot: 'the pod keeps running: nobody accounts for that disk',
    pastFault,
    attempt: async (target) => {
      const limits = { 'ephemeral-storage': `${limitMi}Mi` };
      const containers: Container[] = [
        main({ command: [...script(`${write}; sleep 1000000`)], resources: { limits, requests: limits } }),
      ];
      await target.node.create(podManifest(name, { terminationGracePeriodSeconds: 1, containers }));
      await target.node.until(name, 'runs', ({ status }) => status?.phase !== 'Pending');
      const ended = ({ status }: Pod): boolean => status?.phase === 'Failed';
      await target.node.until(name, 'is evicted', ended, { withinMs: 90_000 }).catch(() => undefined);
      const pod = await target.node.pod(name);
      await target.node.delete(name);
      return { phase: pod?.status?.phase ?? '', reason: pod?.status?.reason ?? '' };
    },
    harms: ({ phase, reason }) =>
      phase === 'Failed' && reason === 'Evicted' ? [] : [`the pod is ${phase} ${reason} with ${writtenMi} MiB written`],
    weak: [{ phase: 'Running', reason: '' }],
  });
}

const zeros = (file: string): string => `dd if=/dev/zero of=${file} bs=1M count=${writtenMi}`;

export const etcHosts = fills({
  name: 'disk-of-etc-hosts',
  pastFault: 'CVE-2020-8557',
  where: 'to /etc/hosts',
  write: zeros('/etc/hosts'),
});

export const terminationLog = fills({
  name: 'disk-of-termination-log',
  pastFault: 'CVE-2020-8557 class',
  where: 'to its termination message',
  write: zeros('/dev/termination-log'),
});

export const containerLog = fills({
  name: 'disk-of-logs',
  pastFault: 'CVE-2020-8557 class',
  where: 'to its log',
  write: `head -c ${writtenMi * 1024 * 1024} /dev/zero | tr '\\0' '\\n' | head -c ${writtenMi * 1024 * 1024}; yes | head -c ${writtenMi * 1024 * 1024}`,
});
