export { ClaimDraManager, draManagerNeeds } from './claim-dra-manager.js';
export type { DraManagerNeeds } from './claim-dra-manager.js';
export { claimDraManagerConfigSchema } from './claim-dra-manager-config.js';
export type { ClaimDraManagerConfig } from './claim-dra-manager-config.js';
export { createClaimDraManager, draManagerModule } from './claim-dra-manager.module.js';
export { claimReconcilerModule, createClaimReconciler } from './reconcile/claim-reconciler.module.js';
export { DRA_DRIVER_CONNECTOR } from './drivers/dra-driver-client.js';
export type { ConnectDraDriver, DraCallOptions, DraDriverClient, DraService } from './drivers/dra-driver-client.js';
