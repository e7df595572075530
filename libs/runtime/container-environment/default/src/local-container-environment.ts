import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOGGER, decodeOptions } from '@podwright/assembly-interface';
import type { Lifecycle } from '@podwright/assembly-interface';
import { CONFIGMAP_MANAGER } from '@podwright/configmap-interface';
import type { ConfigMapManager } from '@podwright/configmap-interface';
import { CONTAINER_RUN_OPTIONS, SERVICE_SOURCE } from '@podwright/container-environment-interface';
import type {
  ContainerEnvironment,
  ContainerRunOptions,
  ContainerRunOptionsSource,
  ContainerSurroundings,
  PodSurroundings,
  ServiceSource,
} from '@podwright/container-environment-interface';
import { RUNTIME_STATE } from '@podwright/container-runtime-interface';
import type { RuntimeState } from '@podwright/container-runtime-interface';
import { MountPropagation } from '@podwright/cri-client-interface';
import type { DeepPartial, Mount } from '@podwright/cri-client-interface';
import { hasCode, KubeletError } from '@podwright/errors';
import { EVENT_RECORDER } from '@podwright/events-interface';
import type { EventRecorder } from '@podwright/events-interface';
import { ipFamily, podUid } from '@podwright/kube-types';
import type { Container, Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { NODE_SOURCE, nodeHostIps, unknownHostIp } from '@podwright/node-status-interface';
import type { NodeSource } from '@podwright/node-status-interface';
import { RUNTIME_CLASSES } from '@podwright/runtime-class-interface';
import type { RuntimeClasses } from '@podwright/runtime-class-interface';
import { SECRET_MANAGER } from '@podwright/secret-interface';
import type { SecretManager } from '@podwright/secret-interface';
import { VOLUME_MANAGER } from '@podwright/volume-interface';
import type { MountedVolume, VolumeManager } from '@podwright/volume-interface';
import { inject, injectable } from 'tsyringe';
import {
  LOCAL_CONTAINER_ENVIRONMENT_CONFIG,
  localContainerEnvironmentConfigSchema,
} from './local-container-environment-config.js';
import type { LocalContainerEnvironmentConfig } from './local-container-environment-config.js';
import { PodResolver } from './dns/pod-resolver.js';
import { nodeHostsFile, podHostsFile, writeHostsFile } from './hosts/hosts-file.js';
import { kernelHostname, podHostname } from './hosts/pod-hostname.js';
import { hostBindMounts } from './mounts/bind-mounts.js';
import { makeMounts } from './mounts/container-mounts.js';
import { prepareSubPath } from './mounts/sub-path.js';
import { makeEnvironment } from './variables/make-environment.js';

const hostsPath = '/etc/hosts';

/** {@link ContainerEnvironment} from the pod, the node's own files and the managers of volumes, secrets and config maps. */
@injectable()
export class LocalContainerEnvironment implements ContainerEnvironment, Lifecycle {
  private readonly logger: Logger;
  private readonly resolver: PodResolver;

  constructor(
    @inject(VOLUME_MANAGER) private readonly volumes: VolumeManager,
    @inject(SECRET_MANAGER) private readonly secrets: SecretManager,
    @inject(CONFIGMAP_MANAGER) private readonly configMaps: ConfigMapManager,
    @inject(EVENT_RECORDER) events: EventRecorder,
    @inject(RUNTIME_STATE) private readonly runtimeState: Pick<RuntimeState, 'handlers'>,
    @inject(RUNTIME_CLASSES) private readonly runtimeClasses: Pick<RuntimeClasses, 'handlerOf'>,
    @inject(SERVICE_SOURCE) private readonly services: ServiceSource,
    @inject(NODE_SOURCE) private readonly nodeSource: NodeSource,
    @inject(LOGGER) logger: Logger,
    @inject(LOCAL_CONTAINER_ENVIRONMENT_CONFIG) private readonly config: LocalContainerEnvironmentConfig,
    @inject(CONTAINER_RUN_OPTIONS, { isOptional: true })
    private readonly runOptions: ContainerRunOptionsSource | undefined,
  ) {
    this.logger = logger.with({ logger: 'container-environment' });
    this.resolver = new PodResolver(events, { ...config, clusterDns: this.validServers(config.clusterDns) });
  }

  /** Looks at the node's resolver file once; works without as well. */
  start(): Promise<void> {
    return this.resolver.checkNodeFile();
  }

  async stop(): Promise<void> {
    // Nothing goes on between calls.
  }

  forPod(pod: Pod): Promise<PodSurroundings> {
    return this.surroundingsOfPod(pod).catch(asKubeletError);
  }

  forContainer(pod: Pod, container: Container, podIps: readonly string[]): Promise<ContainerSurroundings> {
    return this.surroundingsOfContainer(pod, container, podIps).catch(asKubeletError);
  }

  // As upstream: a name server that is no address is left out, the others are used.
  private validServers(clusterDns: readonly string[]): readonly string[] {
    return clusterDns.filter((address) => {
      if (ipFamily(address) !== 0) return true;
      this.logger.warn('Invalid clusterDNS IP', { ip: address });
      return false;
    });
  }

  private async surroundingsOfPod(pod: Pod): Promise<PodSurroundings> {
    const name = podHostname(pod, this.config);
    const sandboxHostname = kernelHostname(name, pod.spec.setHostnameAsFQDN === true);
    return { ...name, sandboxHostname, dnsConfig: await this.resolver.forPod(pod) };
  }

  private async surroundingsOfContainer(
    pod: Pod,
    container: Container,
    podIps: readonly string[],
  ): Promise<ContainerSurroundings> {
    // First, as upstream: a device that cannot be had is told before a volume that is not mounted.
    const options = await this.runOptions?.runOptionsOf(pod, container);
    const ips = pod.spec.hostNetwork === true && podIps.length === 0 ? this.hostIpsOrNone() : podIps;
    const volumes = this.volumes.getMountedVolumes(podUid(pod));
    const own = await this.variables(pod, container, ips, volumes);
    const envs = [...(options?.envs ?? []), ...own];
    const mounts = await makeMounts({
      pod,
      container,
      envs,
      volumes,
      recursiveReadOnlySupported: this.canMountRecursivelyReadOnly(pod),
      prepareSubPath: (volume, subPath, mountIndex) => {
        const places = { podDir: this.podDir(pod), volumeName: volume.name, volumePath: volume.hostPath };
        const request = { ...places, containerName: container.name, mountIndex, subPath };
        return prepareSubPath(request, hostBindMounts, this.logger);
      },
    });
    const hosts = await this.hostsMount(pod, container, ips);
    return {
      envs,
      mounts: [...pluginMounts(options), ...mounts, ...hosts],
      devices: options?.devices ?? [],
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
    const { secrets, configMaps, services, logger } = this;
    const { nodeName, nodeIps, envFiles } = this.config;
    const node = {
      nodeName,
      nodeIps,
      hostIps: () => this.hostIps(),
      allocatable: () => this.nodeSource.getNode().status?.allocatable ?? {},
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

  // As upstream, one that needs the address of the host fails without, one that may show it goes without.
  private hostIps(): readonly string[] {
    const node = this.nodeSource.getNode();
    const hostIps = nodeHostIps(node);
    if (hostIps.length > 0) return hostIps;
    throw new KubeletError(unknownHostIp(node), { code: 'failed-precondition' });
  }

  private hostIpsOrNone(): readonly string[] {
    try {
      return this.hostIps();
    } catch (error) {
      if (hasCode(error, 'failed-precondition') || hasCode(error, 'unavailable')) return [];
      throw error;
    }
  }

  private canMountRecursivelyReadOnly({ spec }: Pod): boolean {
    const name = this.runtimeClasses.handlerOf(spec.runtimeClassName);
    const handler = this.runtimeState.handlers().find((candidate) => candidate.name === name);
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

/** Files of the node fail with errors of the system. */
function asKubeletError(error: unknown): never {
  throw KubeletError.from(error);
}

export interface LocalContainerEnvironmentDeps {
  readonly volumes: VolumeManager;
  readonly secrets: SecretManager;
  readonly configMaps: ConfigMapManager;
  readonly events: EventRecorder;
  readonly runtimeState: Pick<RuntimeState, 'handlers'>;
  readonly runtimeClasses: Pick<RuntimeClasses, 'handlerOf'>;
  readonly services: ServiceSource;
  readonly nodeSource: NodeSource;
  readonly logger: Logger;
  /** None unless resource managers take part. */
  readonly runOptions?: ContainerRunOptionsSource | undefined;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createLocalContainerEnvironment(
  deps: LocalContainerEnvironmentDeps,
  options: Partial<LocalContainerEnvironmentConfig> = {},
): LocalContainerEnvironment {
  const config = decodeOptions('container-environment', localContainerEnvironmentConfigSchema, options);
  return new LocalContainerEnvironment(
    deps.volumes,
    deps.secrets,
    deps.configMaps,
    deps.events,
    deps.runtimeState,
    deps.runtimeClasses,
    deps.services,
    deps.nodeSource,
    deps.logger,
    config,
    deps.runOptions,
  );
}
