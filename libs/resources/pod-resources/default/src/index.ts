import 'reflect-metadata'; // tsyringe refuses to load without it
export { createGrpcPodResourcesServer, GrpcPodResourcesServer } from './grpc-pod-resources-server.js';
export type { GrpcPodResourcesServerDeps } from './grpc-pod-resources-server.js';
export { GRPC_POD_RESOURCES_CONFIG, grpcPodResourcesConfigSchema } from './grpc-pod-resources-config.js';
export type { GrpcPodResourcesConfig } from './grpc-pod-resources-config.js';
export { grpcPodResourcesServerModule } from './grpc-pod-resources-server.module.js';
