import {
  decodeKubeletConfiguration,
  defaultKubeletConfiguration,
  FeatureGates,
  validateKubeletConfiguration,
} from '@podwright/kubelet-configuration';
import { decodeWithSchema, readFirstDocument } from '@podwright/pod-manifest';
import { completeConfigurationFile } from '../../../libs/foundation/kubelet-configuration/src/config-file.js';
import { foldKeys } from '../../../libs/foundation/kubelet-configuration/src/fold-keys.js';
import { mergePatch } from '../../../libs/foundation/kubelet-configuration/src/merge-patch.js';
import { kubeletConfigurationSchema } from '../../../libs/foundation/kubelet-configuration/src/schema.js';
import { eachOf, fuzzTarget } from '../fuzz-target.js';

const head = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';
const gates = FeatureGates.defaults();
const base = completeConfigurationFile(head, '/config.yaml', { gates }).configuration;

const { run, seed } = eachOf({
  file: (input) => {
    const { configuration } = completeConfigurationFile(input, '/etc/config.yaml', { gates });
    validateKubeletConfiguration(configuration, { gates });
  },
  dropIn: (input) => {
    decodeKubeletConfiguration(input, '10.conf');
    const merged = mergePatch(base as never, readFirstDocument(input).value);
    const decoded = decodeWithSchema(kubeletConfigurationSchema, foldKeys(merged, kubeletConfigurationSchema));
    if (decoded.faults.length === 0) defaultKubeletConfiguration(decoded.value as never, gates);
  },
});

export const target = fuzzTarget({
  name: 'kubelet-configuration',
  reads: 'KubeletConfiguration and drop-ins, with defaults and validation',
  seeds: () => [
    seed(
      'file',
      `${head}maxPods: 50\nevictionHard: {memory.available: 100Mi, nodefs.available: 10%}\nsyncFrequency: 1m0s\n`,
    ),
    seed(
      'file',
      `${head}featureGates: {A: true}\nkubeReserved: {cpu: 100m}\nreservedSystemCPUs: 0-1,3\ntlsMinVersion: VersionTLS12\n`,
    ),
    seed(
      'file',
      `${head}logging: {format: json, verbosity: 2, vmodule: [{filePattern: a, verbosity: 3}]}\nauthentication: {x509: {clientCAFile: ca.crt}}\n`,
    ),
    seed(
      'file',
      `${head}memorySwap: {swapBehavior: LimitedSwap}\nreservedMemory: [{numaNode: 0, limits: {memory: 1Gi}}]\npodCIDR: 10.0.0.0/8\nclusterDNS: [10.0.0.10]\n`,
    ),
    seed('dropIn', `${head}maxPods: null\nsystemReserved: {memory: 1Gi}\n`),
  ],
  run,
});
