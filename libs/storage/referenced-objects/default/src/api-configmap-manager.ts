import { CLOCK, LOGGER, type Lifecycle, decodeOptions } from '@podwright/assembly-interface';
import { KUBE_CLIENT, configMaps, type KubeClient } from '@podwright/kube-client-interface';
import type { Pod, ConfigMap } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { NODE_SOURCE, type NodeSource } from '@podwright/node-status-interface';
import type { ConfigMapManager } from '@podwright/configmap-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { podConfigMapNames } from './pod-references.js';
import { ReferencedObjects, type ReferencedObjectsDeps } from './referenced-objects.js';
import {
  API_CONFIGMAPS_CONFIG,
  apiConfigMapsConfigSchema,
  type ReferencedObjectsConfig,
} from './referenced-objects-config.js';

/** {@link ConfigMapManager} of a node of a cluster. */
@injectable()
export class ApiConfigMapManager implements ConfigMapManager, Lifecycle {
  private readonly objects: ReferencedObjects<ConfigMap>;

  constructor(
    @inject(KUBE_CLIENT) client: Pick<KubeClient, 'get' | 'inform'>,
    @inject(NODE_SOURCE) nodeSource: Pick<NodeSource, 'getNode'>,
    @inject(CLOCK) clock: Clock,
    @inject(LOGGER) logger: Logger,
    @inject(API_CONFIGMAPS_CONFIG) config: ReferencedObjectsConfig,
  ) {
    const deps = { client, nodeSource, clock, logger: logger.with({ logger: 'configmap' }) };
    this.objects = new ReferencedObjects(
      deps,
      { resource: configMaps, noun: 'configmap', namesOf: podConfigMapNames },
      config,
    );
  }

  start(): Promise<void> {
    return this.objects.start();
  }

  stop(): Promise<void> {
    return this.objects.stop();
  }

  get(namespace: string, name: string): Promise<ConfigMap> {
    return this.objects.get(namespace, name);
  }

  registerPod(pod: Pod): void {
    this.objects.registerPod(pod);
  }

  unregisterPod(pod: Pod): void {
    this.objects.unregisterPod(pod);
  }
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createApiConfigMapManager(
  { client, nodeSource, clock, logger }: ReferencedObjectsDeps,
  options: Partial<ReferencedObjectsConfig> = {},
): ApiConfigMapManager {
  return new ApiConfigMapManager(
    client,
    nodeSource,
    clock,
    logger,
    decodeOptions('referenced-objects', apiConfigMapsConfigSchema, options),
  );
}
