import { createCheckpointStore, type CheckpointStore } from '@podwright/checkpoint';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import type { ClaimInfo } from '../claims/claim-info.js';
import { claimCheckpointName, decodeClaimCheckpoint, encodeClaimCheckpoint } from './claim-checkpoint.js';

/** The file of the claims in use. Source: kubernetes v1.36 pkg/kubelet/cm/dra/state/checkpointer.go. */
export class ClaimFile {
  private readonly store: CheckpointStore;

  constructor(directory: string) {
    this.store = createCheckpointStore(directory);
  }

  /** Creates a missing file. Rejects with upstream's text when it is unreadable or corrupt. */
  async readOrCreate(): Promise<readonly ClaimInfo[]> {
    try {
      await this.store.removeLeftovers(claimCheckpointName);
      return decodeClaimCheckpoint(await this.store.read(claimCheckpointName));
    } catch (error) {
      if (hasCode(error, 'not-found')) return this.create();
      throw failed(`failed to get checkpoint ${claimCheckpointName}`, error);
    }
  }

  async write(claims: readonly ClaimInfo[] | undefined): Promise<void> {
    const content = encodeClaimCheckpoint(claims);
    await this.store.write(claimCheckpointName, content).catch((error: unknown) => {
      const message = `could not save checkpoint ${claimCheckpointName}: ${messageOf(error)}`;
      throw new KubeletError(message, { code: 'unavailable', cause: error });
    });
  }

  private async create(): Promise<readonly ClaimInfo[]> {
    await this.write(undefined).catch((error: unknown) => {
      throw failed(`failed to store checkpoint ${claimCheckpointName}`, error);
    });
    return [];
  }
}

function failed(what: string, error: unknown): KubeletError {
  const message = `create ResourceClaim cache: GetOrCreate() on checkpoint state: ${what}: ${messageOf(error)}`;
  return new KubeletError(message, { code: KubeletError.from(error).code, cause: error });
}
