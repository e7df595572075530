import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isRefused } from '@podwright/cgroup-files';
import { KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import { runsInUserNamespace } from '@podwright/machine';

/**
 * Kernel flags that the kubelet requires. Source: kubernetes v1.36
 * staging/src/k8s.io/component-helpers/node/util/sysctl.
 */
const tunables: Readonly<Record<string, number>> = {
  'vm/overcommit_memory': 1,
  'vm/panic_on_oom': 0,
  'kernel/panic': 10,
  'kernel/panic_on_oops': 1,
  'kernel/keys/root_maxkeys': 1_000_000,
  'kernel/keys/root_maxbytes': 25_000_000,
};

export interface KernelTunablesContext {
  readonly hostRoot: string;
  readonly logger: Logger;
  /** Gate KubeletInUserNamespace. */
  readonly inUserNamespace: boolean;
  /** Default: writes the file, which must exist. */
  readonly write?: (file: string, text: string) => Promise<void>;
}

const writeFlag = (file: string, text: string): Promise<void> => writeFile(file, text, { flag: 'r+' });

/** `modify` writes flags that differ, `error` rejects, `warn` only logs. */
export type KernelTunableBehavior = 'modify' | 'error' | 'warn';

/**
 * Compares the kernel's flags with those required. Rejects with all differences together; logs a flag that the kernel
 * does not let us change and leaves it. In a user namespace it does so only with `inUserNamespace`, and rejects without.
 * Source: kubernetes v1.36 pkg/kubelet/cm/container_manager_linux.go
 * setupKernelTunables.
 */
export async function setUpKernelTunables(
  behavior: KernelTunableBehavior,
  { hostRoot, logger, inUserNamespace, write = writeFlag }: KernelTunablesContext,
): Promise<void> {
  const faults: string[] = [];
  const refused: string[] = [];
  const rootless = behavior === 'modify' && (await runsInUserNamespace(hostRoot));
  for (const [flag, expectedValue] of Object.entries(tunables)) {
    const file = path.join(hostRoot, 'proc/sys', flag);
    try {
      const actualValue = Number((await readFile(file, 'utf8')).trim());
      if (actualValue === expectedValue) continue;
      if (behavior === 'error') {
        faults.push(`invalid kernel flag: ${flag}, expected value: ${expectedValue}, actual value: ${actualValue}`);
      } else if (behavior === 'warn') {
        logger.debug(2, 'Invalid kernel flag', { flag, expectedValue, actualValue });
      } else {
        logger.debug(2, 'Updating kernel flag', { flag, expectedValue, actualValue });
        await write(file, `${expectedValue}`);
      }
    } catch (error) {
      if (behavior === 'warn') logger.debug(2, 'Kernel flag cannot be read', { flag, error });
      else if (rootless && isRefused(error) && inUserNamespace) {
        logger.debug(2, 'Updating kernel flag failed (running in UserNS, ignoring)', { flag, error });
      } else if (rootless && isRefused(error)) {
        const hint =
          'Updating kernel flag failed (Hint: enable KubeletInUserNamespace feature flag to ignore the error)';
        logger.error(hint, { flag, error });
        faults.push(messageOf(error));
      } else if (behavior === 'modify' && isRefused(error))
        refused.push(`${flag.replaceAll('/', '.')}=${expectedValue}`);
      else faults.push(messageOf(error));
    }
  }
  if (refused.length > 0)
    logger.warn('The kernel refuses to set its flags, continuing without them: set them with sysctl', {
      flags: refused,
    });
  if (faults.length === 0) return;
  const text = faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`;
  throw new KubeletError(`${text}`, { code: 'failed-precondition' });
}
