export { PODS_API } from './pods-api.js';
export type { PodsApi } from './pods-api.js';
export { EventType } from './generated/pods.js';
export type {
  GetPodRequest,
  GetPodResponse,
  ListPodsRequest,
  ListPodsResponse,
  WatchPodsEvent,
  WatchPodsRequest,
} from './generated/pods.js';
