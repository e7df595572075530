import { localFlags, localParts, type KubeletProgram } from '@podwright/kubelet-assembly';
import { cadvisorFlags } from '@podwright/kubelet-configuration';
import { flagsOfClusters } from './flags-of-clusters.js';

const stateDir = '/var/lib/podwright';

/** The kubelet for one machine without a cluster. Unless it is asked to, it listens on no port. */
export const standaloneProgram: KubeletProgram = {
  program: 'kubelet-standalone',
  ownFlags: localFlags,
  // Nobody has unit files of this program from before the flags of cAdvisor lost their effect.
  withoutFlags: [...flagsOfClusters, ...cadvisorFlags.map(({ name }) => name)],
  flagDefaults: { 'root-dir': stateDir, 'cert-dir': `${stateDir}/pki` },
  configurationDefaults: {
    enableServer: false,
    healthzPort: 0,
    // For those who turn the server on: a client certificate is all that can be checked here.
    authentication: { webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    // No controller attaches volumes, and no kube-proxy uses the chains.
    enableControllerAttachDetach: false,
    makeIPTablesUtilChains: false,
    // One machine has no other to run the pods on.
    failSwapOn: false,
    failCgroupV1: false,
  },
  parts: localParts,
};
