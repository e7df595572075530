export { GrpcPodResourcesServer, grpcPodResourcesServerNeeds } from './grpc-pod-resources-server.js';
export type { GrpcPodResourcesServerNeeds } from './grpc-pod-resources-server.js';
export { grpcPodResourcesConfigSchema } from './grpc-pod-resources-config.js';
export type { GrpcPodResourcesConfig } from './grpc-pod-resources-config.js';
export { createGrpcPodResourcesServer, grpcPodResourcesServerModule } from './grpc-pod-resources-server.module.js';
