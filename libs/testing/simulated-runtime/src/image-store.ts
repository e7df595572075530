import { createHash } from 'node:crypto';
import type { AuthConfig, DeepPartial, Image } from '@podwright/cri-client-interface';
import type { ErrorCode } from '@podwright/errors';
import { KubeletError } from '@podwright/errors';
import type { Clock } from '@podwright/time';
import { unknown } from './runtime-errors.js';

export interface SimulatedImage {
  /** Default 5 MB. */
  readonly sizeBytes?: number;
  /** How long a pull takes. Default 0. */
  readonly pullMs?: number;
  /** Errors of the first pulls, one each; the next pull succeeds. */
  readonly pullErrors?: readonly { readonly code?: ErrorCode; readonly message: string }[];
  /** User name and password that a pull must have. */
  readonly credentials?: { readonly username: string; readonly password: string };
  /** `USER` of the image: a number, or a name. Default: none. */
  readonly user?: number | string;
  readonly pinned?: boolean;
}

/** A simulated registry, and the images on the node. */
export class ImageStore {
  private readonly registry = new Map<string, { readonly image: SimulatedImage; errors: number }>();
  private readonly local = new Map<string, Image>();

  constructor(
    private readonly clock: Clock,
    private readonly pullsAnything: boolean,
    private readonly unpublished?: (reference: string) => SimulatedImage,
  ) {}

  /** Adds an image to the registry. */
  publish(reference: string, image: SimulatedImage = {}): void {
    this.registry.set(reference, { image, errors: 0 });
  }

  /** Removes an image from the registry, not from the node. */
  unpublish(reference: string): void {
    this.registry.delete(reference);
  }

  /** Adds an image to the node without a pull. */
  load(reference: string, image: SimulatedImage = {}): void {
    const stored = describeImage(reference, image);
    this.local.set(stored.id, stored);
  }

  /** Finds an image on the node by reference, digest or id. */
  find(reference: string): Image | undefined {
    const byId = this.local.get(reference);
    if (byId !== undefined) return byId;
    for (const image of this.local.values()) {
      if (image.repoTags.includes(reference) || image.repoDigests.includes(reference)) return image;
    }
    return undefined;
  }

  list(): Image[] {
    return [...this.local.values()].map((image) => structuredClone(image));
  }

  remove(reference: string): void {
    const image = this.find(reference);
    if (image !== undefined) this.local.delete(image.id);
  }

  /** Pulls an image; resolves to its id. */
  async pull(reference: string, auth: DeepPartial<AuthConfig> | undefined, signal: AbortSignal): Promise<string> {
    if (this.unpublished !== undefined && this.pullsAnything && !this.registry.has(reference))
      this.publish(reference, this.unpublished(reference));
    const entry = this.registry.get(reference);
    if (entry === undefined && !this.pullsAnything) {
      const why = `failed to resolve reference "${reference}": ${reference}: not found`;
      throw new KubeletError(`failed to pull and unpack image "${reference}": ${why}`, { code: 'not-found' });
    }
    const image = entry?.image ?? {};
    if (image.pullMs !== undefined && image.pullMs > 0) await this.clock.sleep(image.pullMs, signal);
    const error = entry === undefined ? undefined : image.pullErrors?.[entry.errors++];
    if (error !== undefined) {
      throw new KubeletError(error.message, { code: error.code ?? 'unknown' });
    }
    const { credentials } = image;
    if (credentials && !(auth?.username === credentials.username && auth.password === credentials.password)) {
      const why = 'pull access denied, repository does not exist or may require authorization: authorization failed';
      throw unknown(`failed to pull and unpack image "${reference}": ${why}`);
    }
    this.load(reference, image);
    return describeImage(reference, image).id;
  }

  usedBytes(): bigint {
    let bytes = 0n;
    for (const { size } of this.local.values()) bytes += size;
    return bytes;
  }
}

function describeImage(reference: string, { sizeBytes = 5_000_000, user, pinned = false }: SimulatedImage): Image {
  const digest = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const [repository = reference] = reference.replace(/(:[^:/]*)?(@.*)?$/, '\0').split('\0');
  const isDigest = reference.includes('@');
  return {
    id: digest(`config of ${reference}`),
    repoTags: isDigest ? [] : [reference],
    repoDigests: [isDigest ? reference : `${repository}@${digest(reference)}`],
    size: BigInt(sizeBytes),
    uid: typeof user === 'number' ? { value: BigInt(user) } : undefined,
    username: typeof user === 'string' ? user : '',
    spec: undefined,
    pinned,
  };
}
