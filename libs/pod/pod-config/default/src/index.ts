import 'reflect-metadata'; // tsyringe refuses to load without it

export { ApiPods, createApiPods } from './api-pods.js';
export type { ApiPodsDeps } from './api-pods.js';
export { API_PODS_CONFIG, apiPodsConfigSchema } from './api-pods-config.js';
export type { ApiPodsConfig } from './api-pods-config.js';
export { apiPodsModule } from './api-pods.module.js';
export { createPodConfig } from './create-pod-config.js';
export type { PodConfigDeps } from './create-pod-config.js';
export { FileSource } from './file-source.js';
export type { FileSourceDeps, FileSourceOptions } from './file-source.js';
export { HttpSource } from './http-source.js';
export type { HttpSourceDeps, HttpSourceOptions } from './http-source.js';
export { getOverHttp } from './http-get.js';
export type { HttpAnswer, HttpGet, HttpGetOptions } from './http-get.js';
export { MergedPodConfig } from './merged-pod-config.js';
export { watchDirectory } from './path-watcher.js';
export type { WatchDirectory } from './path-watcher.js';
export { POD_CONFIG_OPTIONS, podConfigSchema } from './pod-config-options.js';
export type { PodConfigOptions } from './pod-config-options.js';
export { podConfigModule } from './pod-config.module.js';
export type { ManifestOrigin } from './static-pod.js';
export { createStaticPodReader } from './static-pod-reader.js';
export type { StaticPodReader } from './static-pod-reader.js';
