import { KubeletError } from '@podwright/errors';
import type { IdRange } from './id-range.js';

/** Which pod has which block of host ids; slot 0 begins at the first id. No I/O. */
export class IdSlots {
  private readonly used = new Set<number>();
  private readonly slots: number;
  private readonly slotOfPod = new Map<string, number>();

  /** `host` must have passed `checkIdRange` for `idsPerPod`. */
  constructor(
    private readonly host: IdRange,
    private readonly idsPerPod: number,
  ) {
    this.slots = host.length / idsPerPod;
  }

  podUids(): readonly string[] {
    return [...this.slotOfPod.keys()];
  }

  /** The pod's block; the lowest free one when it has none yet. Throws `resource-exhausted`. */
  take(podUid: string): IdRange {
    const known = this.slotOfPod.get(podUid);
    if (known !== undefined) return this.rangeOf(known);
    let slot = 0;
    while (this.used.has(slot)) slot++;
    if (slot >= this.slots) {
      throw new KubeletError('could not find an empty slot to allocate a user namespace', {
        code: 'resource-exhausted',
      });
    }
    this.occupy(podUid, slot);
    return this.rangeOf(slot);
  }

  /** Records a block from a file. Throws `data-loss` when the pod cannot have that block. */
  record(podUid: string, { firstId, length }: IdRange): void {
    const refuse = (problem: string): never => {
      throw new KubeletError(problem, { code: 'data-loss' });
    };
    if (length !== this.idsPerPod) refuse(`wrong user namespace length ${length}`);
    if (firstId % this.idsPerPod !== 0) refuse(`wrong user namespace offset specified ${firstId}`);
    const slot = (firstId - this.host.firstId) / this.idsPerPod;
    const known = this.slotOfPod.get(podUid);
    if (known !== undefined && known !== slot) {
      refuse(`different user namespace range already used by pod ${JSON.stringify(podUid)}`);
    }
    if (slot < 0 || slot >= this.slots) refuse(`id ${firstId} is out of range`);
    if (known === undefined && this.used.has(slot)) {
      refuse(`range picked for pod ${JSON.stringify(podUid)} already taken`);
    }
    this.occupy(podUid, slot);
  }

  /** Frees the pod's block; false when it had none. */
  free(podUid: string): boolean {
    const slot = this.slotOfPod.get(podUid);
    if (slot === undefined) return false;
    this.slotOfPod.delete(podUid);
    this.used.delete(slot);
    return true;
  }

  private occupy(podUid: string, slot: number): void {
    this.used.add(slot);
    this.slotOfPod.set(podUid, slot);
  }

  private rangeOf(slot: number): IdRange {
    return { firstId: this.host.firstId + slot * this.idsPerPod, length: this.idsPerPod };
  }
}
