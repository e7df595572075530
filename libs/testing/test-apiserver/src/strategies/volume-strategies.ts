import { specAndStatus } from './generic-strategies.js';
import type { ResourceStrategy } from './resource-strategy.js';

// Source: kubernetes v1.36 pkg/apis/core/v1/defaults.go.
const withDefaults = (spec: Readonly<Record<string, unknown>>): ResourceStrategy => ({
  ...specAndStatus,
  defaults: (object) => {
    return { ...object, spec: { ...spec, ...(object.spec as object | undefined) } };
  },
  prepareCreate: (object, context) => ({
    ...(specAndStatus.prepareCreate?.(object, context) ?? object),
    status: { phase: 'Pending' },
  }),
});

export const persistentVolumeStrategy = withDefaults({
  volumeMode: 'Filesystem',
  persistentVolumeReclaimPolicy: 'Retain',
});

export const persistentVolumeClaimStrategy = withDefaults({ volumeMode: 'Filesystem' });
