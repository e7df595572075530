import type { PodMemoryPart } from '@podwright/pod-memory-interface';
import type { BackOffState } from '@podwright/time';

/** The last failed pull of one image for one pod. */
export interface RememberedPull extends BackOffState {
  /** `<reason>: <message>` of the failure. */
  readonly failure: string;
}

/** By the image as the spec writes it. */
export type RememberedPulls = Readonly<Record<string, RememberedPull>>;

export const pullBackOffPart: PodMemoryPart<RememberedPulls> = {
  name: 'image.pull-back-off',
  decode: (json) => {
    if (!isObject(json)) return undefined;
    const entries = Object.entries(json);
    return entries.every(([, pull]) => isPull(pull)) ? (Object.fromEntries(entries) as RememberedPulls) : undefined;
  },
};

const isTime = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0;

const isPull = (value: unknown): value is RememberedPull =>
  isObject(value) && isTime(value['delayMs']) && isTime(value['updatedAtMs']) && typeof value['failure'] === 'string';

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
