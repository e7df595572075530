/** Stands in kubeadm's configuration; no registry has it, so every image must be there before. */
export const IMAGE_REPOSITORY = 'podwright.local/kubeadm';

/** A machine's name, and its address on the cable between both. */
export interface MachineShape {
  readonly name: string;
  readonly address: string;
}

export const controlPlane: MachineShape = { name: 'control-1', address: '10.99.0.1' };
export const worker: MachineShape = { name: 'worker-1', address: '10.99.0.2' };
export const machineShapes: readonly MachineShape[] = [controlPlane, worker];

export const POD_SUBNET = '10.244.0.0/16';
export const API_PORT = 6443;
/** Port on which the worker takes the commands of the cases. */
export const COMMAND_PORT = 7_000;
/** Short, so that a certificate is renewed while the cases run. */
export const SIGNING_DURATION = '6m';
/** Of each of kubeadm's waits: long enough for emulated processors. */
const PATIENCE = '15m';

const document = (kind: string, fields: object): string =>
  JSON.stringify({ apiVersion: 'kubeadm.k8s.io/v1beta4', kind, ...fields }, undefined, 2);

const nodeRegistration = (name: string): object => ({
  name,
  criSocket: 'unix:///run/containerd/containerd.sock',
});

const timeouts = Object.fromEntries(
  ['controlPlaneComponentHealthCheck', 'kubeletHealthCheck', 'kubernetesAPICall', 'discovery', 'tlsBootstrap'].map(
    (name) => [name, PATIENCE],
  ),
);

/** Emulated processors are slow: nobody shall lose the lead by it. */
const patientLeader = [
  { name: 'leader-elect-lease-duration', value: '180s' },
  { name: 'leader-elect-renew-deadline', value: '150s' },
  { name: 'leader-elect-retry-period', value: '10s' },
];

/** The file for `kubeadm init`. */
export function initConfiguration(kubernetesVersion: string): string {
  const kubelet = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    serverTLSBootstrap: true,
  };
  return [
    document('InitConfiguration', {
      localAPIEndpoint: { advertiseAddress: controlPlane.address, bindPort: API_PORT },
      nodeRegistration: nodeRegistration(controlPlane.name),
      timeouts,
    }),
    document('ClusterConfiguration', {
      kubernetesVersion,
      imageRepository: IMAGE_REPOSITORY,
      // Each handshake with an RSA key takes an emulated processor a second.
      encryptionAlgorithm: 'ECDSA-P256',
      networking: { podSubnet: POD_SUBNET },
      controllerManager: {
        extraArgs: [{ name: 'cluster-signing-duration', value: SIGNING_DURATION }, ...patientLeader],
      },
      scheduler: { extraArgs: patientLeader },
    }),
    JSON.stringify(kubelet),
  ].join('\n---\n');
}

/** The file for `kubeadm join`, from the command that `kubeadm token create --print-join-command` prints. */
export function joinConfiguration(command: string): string {
  const found = /^kubeadm join (\S+) --token (\S+) --discovery-token-ca-cert-hash (\S+)/.exec(command);
  if (found === null) throw new Error(`kubeadm prints another command to join: ${command}`);
  const [, apiServerEndpoint, token, caCertHash] = found;
  return document('JoinConfiguration', {
    discovery: { bootstrapToken: { apiServerEndpoint, token, caCertHashes: [caCertHash] } },
    nodeRegistration: nodeRegistration(worker.name),
    timeouts,
  });
}

/** The configuration of a node's network: a bridge with the range that the cluster gave the node. */
export function networkConfiguration(podRange: string): string {
  const ipam = { type: 'host-local', ranges: [[{ subnet: podRange }]], routes: [{ dst: '0.0.0.0/0' }] };
  const bridge = { type: 'bridge', bridge: 'pods0', isGateway: true, hairpinMode: true, ipam };
  return JSON.stringify({ cniVersion: '1.0.0', name: 'pods', plugins: [bridge] });
}
