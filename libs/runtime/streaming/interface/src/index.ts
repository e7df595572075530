export { STREAMING } from './streaming.js';
export type {
  AttachSession,
  ExecSession,
  PortForwardSession,
  RunRequest,
  Streaming,
  StreamSession,
  UpgradeRequest,
} from './streaming.js';
