import 'reflect-metadata'; // tsyringe refuses to load without it
export { createCriClient } from './grpc-cri-client.js';
export type { CriClient, CriClientDeps, CriClientOptions } from './grpc-cri-client.js';
export { CRI_CLIENT_CONFIG, criClientConfigSchema } from './cri-client-config.js';
export type { CriClientConfig } from './cri-client-config.js';
export { socketPathOf } from './endpoint.js';
export { criClientModule } from './cri-client.module.js';
