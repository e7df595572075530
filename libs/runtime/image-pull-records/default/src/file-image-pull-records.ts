import path from 'node:path';
import { CLOCK, LOGGER, METRICS, needs, pick, type Needs } from '@podwright/assembly-interface';
import { IMAGE_SERVICE } from '@podwright/cri-client-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import type { TrackedCredential } from '@podwright/image-credentials-interface';
import type { ImagePullRecords } from '@podwright/image-pull-records-interface';
import type { Logger } from '@podwright/logging';
import { formatRfc3339 } from '@podwright/time';
import { CachedFolder } from './cached-folder.js';
import type { FileImagePullRecordsConfig } from './file-image-pull-records-config.js';
import { matchCredentials } from './matching-credential.js';
import { mergeCredentials } from './merge-credentials.js';
import { PullIntents } from './pull-intents.js';
import { registerPullRecordsMetrics, type CheckResult } from './pull-records-metrics.js';
import { pullCredentialsOf, type ImagePullCredentials, type PulledRecord } from './pulled-record.js';
import { RecordFolder } from './record-folder.js';
import { decodeIntent, decodeRecord, encodeIntent, encodeRecord } from './record-format.js';
import { StripedLocks } from './striped-locks.js';
import { trimImage } from './trim-image.js';
import { verificationPolicy, type RequiresVerification } from './verification-policy.js';

const mostCachedIntents = 1_024;
const mostCachedRecords = 2_000;
/** A runtime that does not answer must not keep the node from starting: intents that stay do no harm. */
const listImagesTimeoutMs = 10_000;

export const fileImagePullRecordsNeeds = needs({
  images: pick(IMAGE_SERVICE, 'listImages'),
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
});

/** {@link ImagePullRecords} in upstream's files: an upstream kubelet on the same folder would continue with them. */
export class FileImagePullRecords implements ImagePullRecords {
  private readonly logger: Logger;
  private readonly requiresVerification: RequiresVerification;
  private readonly intentFiles: RecordFolder<string>;
  private readonly recordFiles: RecordFolder<PulledRecord>;
  private readonly intentFolder: CachedFolder<string>;
  private readonly records: CachedFolder<PulledRecord>;
  private readonly intents: PullIntents;
  private readonly recordLocks: StripedLocks;
  private readonly countCheck: (result: CheckResult) => void;

  constructor(
    private readonly deps: Needs<typeof fileImagePullRecordsNeeds>,
    config: FileImagePullRecordsConfig,
  ) {
    const { rootDir, maxPods, parallelPulls } = config;
    this.logger = deps.logger.with({ logger: 'image-pull-records' });
    this.requiresVerification = verificationPolicy(config.verificationPolicy, config.allowlist);
    const folder = path.join(rootDir, 'image_manager');
    const intent = { name: 'ImagePullIntent', keyOf: (image: string) => image };
    this.intentFiles = new RecordFolder(path.join(folder, 'pulling'), {
      ...{ ...intent, encode: encodeIntent, decode: decodeIntent },
    });
    const record = { name: 'ImagePulledRecord', keyOf: ({ imageRef }: PulledRecord) => imageRef };
    this.recordFiles = new RecordFolder(path.join(folder, 'pulled'), {
      ...{ ...record, encode: encodeRecord, decode: decodeRecord },
    });
    const locks = (): StripedLocks => new StripedLocks(parallelPulls);
    // At least one, also for a node that takes no pods.
    const cachedIntents = Math.min(mostCachedIntents, Math.max(1, 2 * maxPods, 2 * parallelPulls));
    const cachedRecords = Math.min(mostCachedRecords, Math.max(1, 5 * maxPods));
    this.intentFolder = new CachedFolder(this.intentFiles, intent.keyOf, locks(), cachedIntents);
    this.records = new CachedFolder(this.recordFiles, record.keyOf, locks(), cachedRecords);
    this.intents = new PullIntents(this.intentFolder, locks());
    this.recordLocks = locks();
    this.countCheck = registerPullRecordsMetrics(deps.metrics, {
      intents: { count: () => this.intentFiles.count(), usagePercent: () => this.intentFolder.usagePercent() },
      records: { count: () => this.recordFiles.count(), usagePercent: () => this.records.usagePercent() },
    });
  }

  /** Rejects when the folders cannot be created. */
  async start(): Promise<void> {
    for (const files of [this.intentFiles, this.recordFiles]) {
      for (const fault of await files.prepare()) {
        this.logger.error('a record of image pulls cannot be read, it is left as it is', { reason: fault });
      }
    }
    const { values: images } = await this.intentFolder.list();
    await this.records.list();
    if (images.length > 0) await this.convertIntents(new Set(images));
  }

  async stop(): Promise<void> {
    // Nothing runs between calls.
  }

  async recordPullIntent(image: string): Promise<void> {
    await this.intents.begin(image).catch((error: unknown) => {
      const message = `failed to record image pull intent: ${messageOf(error)}`;
      throw new KubeletError(message, { code: 'internal', cause: error });
    });
  }

  async recordPulled(image: string, imageRef: string, credential: TrackedCredential | undefined): Promise<void> {
    try {
      await this.learn(image, imageRef, pullCredentialsOf(credential));
    } catch (error) {
      // The intent stays on purpose: the image still counts as pulled by the kubelet, and the next pull or the next start
      // makes a record of it.
      await this.intents.leave(image);
      this.logger.error('failed to write image pulled record', { image, imageRef, error });
      return;
    }
    await this.endIntent(image);
  }

  async recordPullFailed(image: string): Promise<void> {
    await this.endIntent(image);
  }

  async mustAttemptPull(
    image: string,
    imageRef: string,
    credentials: () => Promise<readonly TrackedCredential[]>,
  ): Promise<boolean> {
    if (imageRef === '') return true;
    let result: CheckResult = 'error';
    try {
      result = await this.check(image, imageRef, credentials);
    } finally {
      this.countCheck(result);
    }
    return result === 'mustAuthenticate' || result === 'error';
  }

  async prune(imageRefs: ReadonlySet<string>, untilMs: number): Promise<void> {
    await this.recordLocks
      .runAlone(async () => {
        const { values, faults } = await this.records.list();
        for (const fault of faults) this.logger.error('a record of image pulls cannot be read', { reason: fault });
        // Records have whole seconds: one from the same second as `untilMs` may be newer.
        const limitMs = Math.floor(untilMs / 1000) * 1000;
        for (const { imageRef, lastUpdatedTime } of values) {
          if (imageRefs.has(imageRef) || Date.parse(lastUpdatedTime) >= limitMs) continue;
          await this.records.remove(imageRef);
        }
      })
      .catch((error: unknown) => this.logger.error('records of image pulls could not be pruned', { error }));
  }

  private async check(
    image: string,
    imageRef: string,
    credentials: () => Promise<readonly TrackedCredential[]>,
  ): Promise<CheckResult> {
    let found: { readonly record: PulledRecord | undefined; readonly pulled: boolean };
    let name: string | undefined;
    try {
      found = await this.find(image, imageRef);
      if (!this.requiresVerification(image, found.pulled)) return 'credentialPolicyAllowed';
      if (found.record === undefined) return 'mustAuthenticate';
      name = trimImage(image);
    } catch (error) {
      this.logger.error('Unable to access cache records about image pulls', { image, imageRef, error });
      return 'error';
    }
    const mapping = found.record.credentialMapping;
    const known = Object.hasOwn(mapping, name) ? mapping[name] : undefined;
    if (known === undefined) return 'mustAuthenticate';
    if (known.nodePodsAccessible === true) return 'credentialRecordFound';
    const { kubernetesSecrets = [], kubernetesServiceAccounts = [] } = known;
    if (kubernetesSecrets.length === 0 && kubernetesServiceAccounts.length === 0) return 'mustAuthenticate';
    const match = matchCredentials(known, await credentials());
    if (!match.allowed) return 'mustAuthenticate';
    if (match.learn !== undefined) {
      await this.learn(image, imageRef, match.learn).catch((error: unknown) =>
        this.logger.error('failed to write an image pulled record', { image, imageRef, error }),
      );
    }
    return 'credentialRecordFound';
  }

  /** Reads record and intent under one lock, so that they belong together. */
  private find(image: string, imageRef: string): Promise<{ record: PulledRecord | undefined; pulled: boolean }> {
    return this.recordLocks.run(imageRef, () =>
      this.intents.whileStill(image, async (hasIntent) => {
        const record = await this.records.get(imageRef);
        return { record, pulled: record !== undefined || (await hasIntent()) };
      }),
    );
  }

  /**
   * Adds credentials to the record. With undefined `credentials` the image counts as pulled by the kubelet, but no pod
   * is known to have access.
   */
  private async learn(image: string, imageRef: string, credentials: ImagePullCredentials | undefined): Promise<void> {
    const name = trimImage(image);
    await this.recordLocks.run(imageRef, async () => {
      const record = await this.records.get(imageRef).catch((error: unknown) => {
        this.logger.error('failed to retrieve an ImagePulledRecord, replacing it', { image, imageRef, error });
        return undefined;
      });
      const now = formatRfc3339(this.deps.clock.now());
      const base = record ?? { lastUpdatedTime: now, imageRef, credentialMapping: {} };
      const merged = credentials === undefined ? base : mergeCredentials(base, name, credentials, now);
      if (merged !== record) await this.records.write(merged);
    });
  }

  private async endIntent(image: string): Promise<void> {
    await this.intents.end(image).catch((error: unknown) => {
      this.logger.error('failed to remove image pull intent', { image, error });
    });
  }

  /**
   * Makes records for images that an earlier process wanted to pull and that are now on the node. Nobody knows which
   * pods may use them, so the records name no credentials.
   */
  private async convertIntents(asked: ReadonlySet<string>): Promise<void> {
    const deadline = this.deps.clock.deadline(listImagesTimeoutMs);
    try {
      const { images } = await this.deps.images.listImages({}, { signal: deadline.signal });
      for (const { id, repoDigests, repoTags } of images) {
        for (const image of [...repoDigests, ...repoTags].filter((name) => asked.has(name))) {
          await this.learn(image, id, undefined);
          await this.intentFolder.remove(image);
        }
      }
    } catch (error) {
      this.logger.error('records could not be made of image pulls that an earlier kubelet had begun', { error });
    } finally {
      deadline.dispose();
    }
  }
}
