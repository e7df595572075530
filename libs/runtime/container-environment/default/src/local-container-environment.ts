import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CLOCK, LOGGER, needs, optional, pick, type Needs } from '@podwright/assembly-interface';
import type { Lifecycle } from '@podwright/assembly-interface';
import { CONFIGMAP_MANAGER, SECRET_MANAGER } from '@podwright/referenced-objects-interface';
import { CONTAINER_RUN_OPTIONS, SERVICE_SOURCE } from '@podwright/container-environment-interface';
import type {
  ContainerEnvironment,
  ContainerRunOptions,
  ContainerSurroundings,
  PodSurroundings,
} from '@podwright/container-environment-interface';
import { RUNTIME_STATE } from '@podwright/container-runtime-interface';
import { MountPropagation } from '@podwright/cri-client-interface';
import type { DeepPartial, Mount } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { canonicalIp, podUid, nodeHostIps, unknownHostIp } from '@podwright/kube-types';
import type { Container, Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { RUNTIME_CLASSES } from '@podwright/runtime-class-interface';
import { VOLUME_MANAGER } from '@podwright/volume-interface';
import type { MountedVolume } from '@podwright/volume-interface';
import type { LocalContainerEnvironmentConfig } from './local-container-environment-config.js';
import { PodResolver } from './dns/pod-resolver.js';
import { nodeHostsFile, podHostsFile, writeHostsFile } from './hosts/hosts-file.js';
import { kernelHostname, podHostname } from './hosts/pod-hostname.js';
import { hostBindMounts } from './mounts/bind-mounts.js';
import { makeDevices } from './mounts/container-devices.js';
import { makeImageMounts, makeMounts } from './mounts/container-mounts.js';
import { prepareSubPath } from './mounts/sub-path.js';
import { makeEnvironment } from './variables/make-environment.js';

const hostsPath = '/etc/hosts';

export const localContainerEnvironmentNeeds = needs({
  clock: CLOCK,
  volumes: VOLUME_MANAGER,
  secrets: SECRET_MANAGER,
  configMaps: CONFIGMAP_MANAGER,
  events: EVENT_RECORDER,
  runtimeState: pick(RUNTIME_STATE, 'handlers'),
  runtimeClasses: pick(RUNTIME_CLASSES, 'handlerOf'),
  services: SERVICE_SOURCE,
  nodeSource: NODE_SOURCE,
  logger: LOGGER,
  /** Absent when no resource manager takes part. */
  runOptions: optional(CONTAINER_RUN_OPTIONS),
});
export type LocalContainerEnvironmentNeeds = Needs<typeof localContainerEnvironmentNeeds>;

/** {@link ContainerEnvironment} from the pod, the node's own files and the managers of volumes, secrets and config maps. */
export class LocalContainerEnvironment implements ContainerEnvironment, Lifecycle {
  private readonly logger: Logger;
  private readonly resolver: PodResolver;

  constructor(
    private readonly deps: LocalContainerEnvironmentNeeds,
    private readonly config: LocalContainerEnvironmentConfig,
  ) {
    this.logger = deps.logger.with({ logger: 'container-environment' });
    this.resolver = new PodResolver(deps.events, { ...config, clusterDns: this.validServers(config.clusterDns) });
  }

  /** Checks the node's resolver file once and reports faults as events. Resolves even when the file cannot be read. */
  start(): Promise<void> {
    return this.resolver.checkNodeFile();
  }

  async stop(): Promise<void> {
    // Nothing runs between calls.
  }

  forPod(pod: Pod): Promise<PodSurroundings> {
    return this.surroundingsOfPod(pod).catch(asKubeletError);
  }

  forContainer(pod: Pod, container: Container, podIps: readonly string[]): Promise<ContainerSurroundings> {
    return this.surroundingsOfContainer(pod, container, podIps).catch(asKubeletError);
  }

  // As upstream: logs and drops a name server that is not an IP address, and keeps the others in Go's form.
  private validServers(clusterDns: readonly string[]): readonly string[] {
    return clusterDns.flatMap((address) => {
      const server = canonicalIp(address);
      if (server === undefined) this.logger.warn('Invalid clusterDNS IP', { ip: address });
      return server ?? [];
    });
  }

  private async surroundingsOfPod(pod: Pod): Promise<PodSurroundings> {
    // First, as upstream: its events also come for a pod whose hostname is refused.
    const dnsConfig = await this.resolver.forPod(pod);
    const name = podHostname(pod, this.config);
    const { setHostnameAsFQDN, hostNetwork } = pod.spec;
    // A host-network pod has the node's name: its own may be longer than the kernel takes.
    const sandboxHostname = kernelHostname(name, setHostnameAsFQDN === true && hostNetwork !== true);
    return { ...name, sandboxHostname, dnsConfig };
  }

  private async surroundingsOfContainer(
    pod: Pod,
    container: Container,
    podIps: readonly string[],
  ): Promise<ContainerSurroundings> {
    // First, as upstream: a device that is not available is reported before a volume that is not mounted.
    const options = await this.deps.runOptions?.runOptionsOf(pod, container);
    const volumes = this.deps.volumes.getMountedVolumes(podUid(pod));
    const devices = await makeDevices(container, volumes);
    const own = await this.variables(pod, container, podIps, volumes);
    const envs = [...(options?.envs ?? []), ...own];
    const wanted = { pod, container, envs, recursiveReadOnlySupported: this.canMountRecursivelyReadOnly(pod) };
    const imageMounts = makeImageMounts(wanted);
    const mounts = await makeMounts({
      ...wanted,
      volumes,
      prepareSubPath: (volume, subPath, mountIndex) => {
        const { name: volumeName, specName = volumeName, hostPath: volumePath } = volume;
        const places = { podDir: this.podDir(pod), volumeName, specName, volumePath };
        const request = { ...places, containerName: container.name, mountIndex, subPath };
        return prepareSubPath(request, hostBindMounts(this.deps.clock), this.logger);
      },
    });
    const hosts = await this.hostsMount(pod, container, podIps);
    return {
      envs,
      mounts: [...pluginMounts(options), ...mounts, ...hosts],
      ...(imageMounts.length > 0 && { imageMounts }),
      devices: [...(options?.devices ?? []), ...devices],
      annotations: options?.annotations ?? {},
      ...(options !== undefined && options.cdiDevices.length > 0 && { cdiDevices: options.cdiDevices }),
    };
  }

  private variables(
    pod: Pod,
    container: Container,
    podIps: readonly string[],
    volumes: readonly MountedVolume[],
  ): Promise<{ name: string; value: string }[]> {
    const { logger } = this;
    const { secrets, configMaps, services } = this.deps;
    const { nodeName, nodeIps, envFiles } = this.config;
    const node = {
      nodeName,
      nodeIps,
      hostIps: () => this.hostIps(),
      allocatable: () => this.deps.nodeSource.getNode().status?.allocatable ?? {},
    };
    return makeEnvironment({
      pod,
      container,
      podIps,
      volumes,
      secrets,
      configMaps,
      services,
      logger,
      node,
      envFiles,
    });
  }

  private async hostsMount(pod: Pod, container: Container, podIps: readonly string[]): Promise<DeepPartial<Mount>[]> {
    const hostNetwork = pod.spec.hostNetwork === true;
    const isOwn = container.volumeMounts?.some(({ mountPath }) => mountPath === hostsPath) ?? false;
    if (isOwn || (podIps.length === 0 && !hostNetwork)) return [];
    const hostPath = join(this.podDir(pod), 'etc-hosts');
    const { hostAliases } = pod.spec;
    const content = hostNetwork
      ? nodeHostsFile(await readFile(this.config.hostsFile, 'utf8'), hostAliases)
      : podHostsFile(podIps, podHostname(pod, this.config), hostAliases);
    await writeHostsFile(hostPath, content);
    const propagation = MountPropagation.PROPAGATION_PRIVATE;
    return [{ containerPath: hostsPath, hostPath, readonly: false, selinuxRelabel: true, propagation }];
  }

  // As upstream: a variable that needs the host's address fails without one, while a host-network pod without IPs
  // starts without one.
  private hostIps(): readonly string[] {
    const node = this.deps.nodeSource.getNode();
    const hostIps = nodeHostIps(node);
    if (hostIps.length > 0) return hostIps;
    throw new KubeletError(unknownHostIp(node), { code: 'failed-precondition' });
  }

  private canMountRecursivelyReadOnly({ spec }: Pod): boolean {
    const name = this.deps.runtimeClasses.handlerOf(spec.runtimeClassName);
    const handler = this.deps.runtimeState.handlers().find((candidate) => candidate.name === name);
    return handler?.features?.recursiveReadOnlyMounts ?? false;
  }

  private podDir(pod: Pod): string {
    return join(this.config.rootDir, 'pods', podUid(pod));
  }
}

function pluginMounts(options: ContainerRunOptions | undefined): DeepPartial<Mount>[] {
  const propagation = MountPropagation.PROPAGATION_PRIVATE;
  return (options?.mounts ?? []).map(({ hostPath, containerPath, readOnly }) => ({
    containerPath,
    hostPath,
    readonly: readOnly,
    selinuxRelabel: false,
    propagation,
  }));
}

/** A failed read of a node file throws an error of the operating system. */
function asKubeletError(error: unknown): never {
  throw KubeletError.from(error);
}
