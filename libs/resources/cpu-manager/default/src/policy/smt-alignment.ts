import { KubeletError } from '@podwright/errors';

/**
 * Option full-pcpus-only: rejects a request that is not for whole cores. Source: kubernetes v1.36
 * pkg/kubelet/cm/cpumanager/policy_static.go SMTAlignmentError.
 */
export function checkSmtAlignment(requested: number, cpusPerCore: number, availablePhysical: number): void {
  if (requested % cpusPerCore !== 0)
    throw refusal(`requested ${requested} cpus not multiple cpus per core = ${cpusPerCore}`);
  if (requested > availablePhysical)
    throw refusal(
      `not enough free physical CPUs: available physical CPUs = ${availablePhysical}, requested CPUs = ${requested}, CPUs per core = ${cpusPerCore}`,
    );
}

function refusal(what: string): KubeletError {
  return new KubeletError(`SMT Alignment Error: ${what}`, { code: 'resource-exhausted', reason: 'SMTAlignmentError' });
}
