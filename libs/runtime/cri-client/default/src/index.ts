export { criClientNeeds } from './grpc-cri-client.js';
export type { CriClient, CriClientNeeds } from './grpc-cri-client.js';
export { criClientConfigSchema } from './cri-client-config.js';
export type { CriClientConfig } from './cri-client-config.js';
export { socketPathOf } from './endpoint.js';
export { createCriClient, criClientModule } from './cri-client.module.js';
