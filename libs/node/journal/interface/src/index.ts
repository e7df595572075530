export { JOURNAL, JOURNAL_READER } from './journal.js';
export type { Journal, JournalReader } from './journal.js';
export type { JournalEntry } from './journal-entry.js';
export { fitsFilter } from './journal-filter.js';
export type { JournalFilter } from './journal-filter.js';
export { decisionKinds, isDecisionKind, podUidsOf } from './decision.js';
export type { Decision, DecisionKind, DecisionOf } from './decision.js';
export { journalPod } from './kinds/journal-pod.js';
export type { JournalPod } from './kinds/journal-pod.js';
export type {
  ContainerDecision,
  ContainerExited,
  ContainerFailed,
  ContainerKill,
  ContainerKilled,
  ContainerRemoved,
  ContainerRestart,
  ContainerStarted,
  HookFailed,
} from './kinds/containers.js';
export type { ImageDecision, ImageGc, ImagePull, ImageRemoved } from './kinds/images.js';
export type {
  Eviction,
  JournalLost,
  JournalOpened,
  LeaseFailed,
  LeaseRenewed,
  NodeConditionChanged,
  NodeDecision,
  NodeStatusAccepted,
  NodeStatusFailed,
  OomKilled,
} from './kinds/node.js';
export type {
  ArrivalDecision,
  ManifestRefused,
  ManifestSettled,
  PodAdmitted,
  PodIgnored,
  PodReceived,
  PodRefused,
} from './kinds/pod-arrival.js';
export type {
  PodEnded,
  PodEnding,
  PodQueued,
  PodSync,
  PodWaiting,
  PodWorkDecision,
  SyncPaused,
  SyncResumed,
} from './kinds/pod-work.js';
export type { ProbeAttempt, ProbeDecision } from './kinds/probes.js';
export type { SandboxCreated, SandboxDecision, SandboxFailed, SandboxReplaced } from './kinds/sandbox.js';
export type { PodDeleted, StatusChanged, StatusDecision, StatusFailed, StatusSent } from './kinds/statuses.js';
export type {
  VolumeDecision,
  VolumeFailed,
  VolumeMounted,
  VolumeUnmounted,
  VolumesReady,
  VolumesWaiting,
} from './kinds/volumes.js';
