export { droppedPodEvents, GrpcPodsApi, podsApiNeeds } from './grpc-pods-api.js';
export { grpcPodsApiConfigSchema } from './grpc-pods-api-config.js';
export type { GrpcPodsApiConfig } from './grpc-pods-api-config.js';
export { createGrpcPodsApi, grpcPodsApiModule } from './grpc-pods-api.module.js';
