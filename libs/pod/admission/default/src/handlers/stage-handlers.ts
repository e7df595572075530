import type { AdmissionHandler, AdmissionHandlers, AdmissionStage } from '@podwright/admission-interface';
import { injectable } from 'tsyringe';
import { KeptInOrder } from './kept-in-order.js';

/** {@link AdmissionHandlers} in memory. Depends on nothing, so that every manager can join without a cycle. */
@injectable()
export class StageHandlers implements AdmissionHandlers {
  private readonly stages: Readonly<Record<AdmissionStage, KeptInOrder<AdmissionHandler>>> = {
    resize: new KeptInOrder(),
    eviction: new KeptInOrder(),
    topology: new KeptInOrder(),
    'node-shutdown': new KeptInOrder(),
  };

  add(stage: AdmissionStage, handler: AdmissionHandler): () => void {
    return this.stages[stage].add(handler);
  }

  of(stage: AdmissionStage): readonly AdmissionHandler[] {
    return this.stages[stage].items();
  }
}

/** Makes one without a container. */
export function createAdmissionHandlers(): AdmissionHandlers {
  return new StageHandlers();
}
