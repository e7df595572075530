export { CONSOLE } from './console.js';
export type { Console } from './console.js';
export type { CgroupRow, CgroupTree } from './data/cgroup-tree.js';
export type {
  ConsoleMessage,
  ConsoleMessageName,
  ConsoleMessages,
  ConsoleSnapshot,
  ListChange,
} from './data/console-message.js';
export type { ConsoleSample, PodUse } from './data/console-sample.js';
export type { ImageRow, ImageUser, ImagesView, PullInProgress } from './data/images-view.js';
export type { JournalPage, JournalQuery } from './data/journal-page.js';
export type { NodeFacts, NodeResource } from './data/node-facts.js';
export { laneMarkKinds, lanePhases } from './data/pod-lane.js';
export type { LaneMark, LaneMarkKind, LanePhase, LaneSpan, PodLane } from './data/pod-lane.js';
export type { ContainerPage, PodEvent, PodPage, ProbeAnswer, ProbePage, VolumePage } from './data/pod-page.js';
export type { PodRow } from './data/pod-row.js';
