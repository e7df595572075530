import { CLOCK, LOGGER, type Lifecycle, decodeOptions } from '@podwright/assembly-interface';
import { KUBE_CLIENT, secrets, type KubeClient } from '@podwright/kube-client-interface';
import type { Pod, Secret } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { NODE_SOURCE, type NodeSource } from '@podwright/node-status-interface';
import type { SecretManager } from '@podwright/secret-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { podSecretNames } from './pod-references.js';
import { ReferencedObjects, type ReferencedObjectsDeps } from './referenced-objects.js';
import {
  API_SECRETS_CONFIG,
  apiSecretsConfigSchema,
  type ReferencedObjectsConfig,
} from './referenced-objects-config.js';

/** {@link SecretManager} of a node of a cluster. */
@injectable()
export class ApiSecretManager implements SecretManager, Lifecycle {
  private readonly objects: ReferencedObjects<Secret>;

  constructor(
    @inject(KUBE_CLIENT) client: Pick<KubeClient, 'get' | 'inform'>,
    @inject(NODE_SOURCE) nodeSource: Pick<NodeSource, 'getNode'>,
    @inject(CLOCK) clock: Clock,
    @inject(LOGGER) logger: Logger,
    @inject(API_SECRETS_CONFIG) config: ReferencedObjectsConfig,
  ) {
    const deps = { client, nodeSource, clock, logger: logger.with({ logger: 'secret' }) };
    this.objects = new ReferencedObjects(deps, { resource: secrets, noun: 'secret', namesOf: podSecretNames }, config);
  }

  start(): Promise<void> {
    return this.objects.start();
  }

  stop(): Promise<void> {
    return this.objects.stop();
  }

  get(namespace: string, name: string): Promise<Secret> {
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
export function createApiSecretManager(
  { client, nodeSource, clock, logger }: ReferencedObjectsDeps,
  options: Partial<ReferencedObjectsConfig> = {},
): ApiSecretManager {
  return new ApiSecretManager(
    client,
    nodeSource,
    clock,
    logger,
    decodeOptions('referenced-objects', apiSecretsConfigSchema, options),
  );
}
