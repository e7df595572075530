import type { DeepPartial } from '@podwright/protobuf-wire';
import type { NodePublishVolumeRequest } from '@podwright/volume-csi-interface';
import type { VolumeSpec } from '@podwright/volume-interface';
import { csiText } from '../csi-text.js';
import type { CsiClient } from '../client/csi-client.js';
import type { CsiOperation } from '../client/csi-operation.js';
import type { CsiVolumes } from '../csi-volumes.js';
import { csiSourceOf, type CsiSource } from './csi-source.js';
import { csiStep } from './csi-step.js';
import type { FsGroupPolicy } from './driver-rules.js';
import { podInfo, serviceAccountTokens } from './pod-context.js';
import { fetchingSecret } from './secrets.js';
import { withSeLinuxLabel } from './selinux-mount.js';
import { volumeCapability } from './volume-capability.js';
import { stagingTarget } from './volume-paths.js';

export interface PreparedPublish {
  readonly client: CsiClient;
  readonly request: DeepPartial<NodePublishVolumeRequest>;
  /** The SELinux label in the mount options, if any. */
  readonly label: string | undefined;
  /** The driver gives the files to the pod's group. */
  readonly driverOwnsFiles: boolean;
  readonly fsGroupPolicy: FsGroupPolicy;
}

/** Asks everybody what NodePublishVolume must say; changes nothing. Error texts are upstream's, with its spelling. */
export async function preparePublish(
  volumes: CsiVolumes,
  spec: VolumeSpec,
  target: string,
  wantedLabel: string | undefined,
  operation: CsiOperation,
): Promise<PreparedPublish> {
  const { rules } = volumes;
  const { signal } = operation;
  const source = csiSourceOf(spec);
  const client = await csiStep(csiText('mounter.SetUpAt failed to get CSI client'), () =>
    volumes.client(source.driver),
  );
  await csiStep(csiText('mounter.SetupAt failed to check volume lifecycle mode'), () =>
    rules.requireLifecycleMode(source),
  );
  const fsGroupPolicy = await csiStep(csiText('mounter.SetupAt failed to check fsGroup policy'), () =>
    rules.fsGroupPolicy(source.driver),
  );
  const stagingTargetPath = await stagedAt(volumes, source, client, operation);
  const publishContext = await csiStep(csiText('mounter.SetUpAt failed to fetch publishContext'), () =>
    source.lifecycleMode === 'Ephemeral' ? undefined : volumes.publishContext(source, signal),
  );
  const secrets = await csiStep(fetchingSecret('NodePublishSecretRef', source.publishSecret), () =>
    volumes.credentials(source.publishSecret, signal),
  );
  const info = await csiStep(csiText('mounter.SetUpAt failed to assemble volume attributes'), () =>
    rules.podInfoOnMount(source.driver) ? podInfo(spec.pod, source.lifecycleMode) : {},
  );
  const tokens = await csiStep(csiText('mounter.SetUpAt failed to get service accoount token attributes'), () =>
    tokensFor(volumes, source, spec, signal),
  );
  const driverOwnsFiles = await csiStep(
    csiText('mounter.SetUpAt failed to determine if the node service has VOLUME_MOUNT_GROUP capability'),
    () => client.supports('VOLUME_MOUNT_GROUP', operation),
  );
  const volumeMountGroup = driverOwnsFiles ? spec.pod.spec.securityContext?.fsGroup : undefined;
  const { mountFlags, label } = await withSeLinuxLabel(source.mountOptions, wantedLabel, spec, rules);
  const request = {
    volumeId: source.handle,
    publishContext: publishContext ?? {},
    stagingTargetPath,
    targetPath: target,
    volumeCapability: await volumeCapability(client, source, { mountFlags, volumeMountGroup }, operation),
    readonly: source.readOnly,
    secrets: { ...secrets, ...tokens.secrets },
    volumeContext: { ...source.attributes, ...info, ...tokens.context },
  };
  return { client, request, label, driverOwnsFiles, fsGroupPolicy };
}

/** Empty for volumes that are not staged. */
async function stagedAt(
  { options }: CsiVolumes,
  { lifecycleMode, driver, handle }: CsiSource,
  client: CsiClient,
  operation: CsiOperation,
): Promise<string> {
  if (lifecycleMode === 'Ephemeral') return '';
  const stages = await csiStep(csiText('mounter.SetUpAt failed to check for STAGE_UNSTAGE_VOLUME capability'), () =>
    client.supports('STAGE_UNSTAGE_VOLUME', operation),
  );
  return stages ? stagingTarget(options.rootDir, driver, handle) : '';
}

async function tokensFor(
  { deps, rules }: CsiVolumes,
  { driver }: CsiSource,
  { pod }: VolumeSpec,
  signal: AbortSignal,
): Promise<Readonly<Record<'context' | 'secrets', Readonly<Record<string, string>>>>> {
  const { requests, inSecrets } = rules.tokenRequests(driver);
  const tokens = await serviceAccountTokens(pod, requests, deps.tokens, signal);
  return inSecrets ? { context: {}, secrets: tokens } : { context: tokens, secrets: {} };
}
