import type { Logger } from '@podwright/logging';
import { isServerAway, type OfflineObjects, type OfflineRef } from '@podwright/offline-objects-interface';
import type { ServiceAccountToken } from '@podwright/service-account-token-interface';
import type { Clock } from '@podwright/time';

export interface TokenOwner {
  /** The key of the token, which contains no secret. */
  readonly key: string;
  readonly namespace: string;
  readonly podUid: string | undefined;
}

const kind = 'ServiceAccountToken';

/** The tokens of pods on disk, for as long as the API server cannot be reached. A token without a pod is not kept. */
export class SavedTokens {
  constructor(
    private readonly deps: {
      readonly offline: OfflineObjects;
      readonly clock: Pick<Clock, 'now'>;
      readonly logger: Logger;
    },
  ) {}

  keep(owner: TokenOwner, token: ServiceAccountToken): void {
    const ref = refOf(owner);
    if (ref !== undefined) this.deps.offline.keep(ref, token);
  }

  /**
   * The saved token if `error` means that the API server is away, even one that has expired: the pod can start, and
   * gets a new one when the server is back.
   */
  async insteadOf(error: unknown, owner: TokenOwner): Promise<ServiceAccountToken | undefined> {
    const ref = refOf(owner);
    if (ref === undefined || !isServerAway(error)) return undefined;
    const { offline, clock, logger } = this.deps;
    const copy = await offline.get<ServiceAccountToken>(ref);
    if (copy === undefined) return undefined;
    offline.use([copy]);
    const { expirationTimestamp } = copy.object;
    if (Date.parse(expirationTimestamp) < clock.now()) {
      const message = 'The API server cannot be reached: a pod gets a service account token that has expired';
      logger.warn(message, { cacheKey: owner.key, expirationTimestamp });
    }
    return copy.object;
  }

  forgetPod(podUid: string): void {
    this.forget((uid) => uid === podUid);
  }

  forgetAllBut(known: ReadonlySet<string>): void {
    this.forget((uid) => !known.has(uid));
  }

  private forget(isGone: (podUid: string) => boolean): void {
    const { offline } = this.deps;
    for (const ref of offline.refs(kind)) if (isGone(ref.name.slice(0, ref.name.indexOf('/')))) offline.forget(ref);
  }
}

const refOf = ({ key, namespace, podUid }: TokenOwner): OfflineRef | undefined =>
  podUid === undefined ? undefined : { kind, namespace, name: `${podUid}/${key}` };
