export { FileFlightRecorder, flightRecorderNeeds } from './file-flight-recorder.js';
export type { FlightRecorderNeeds } from './file-flight-recorder.js';
export { flightRecorderConfigSchema } from './flight-recorder-config.js';
export type { FlightRecorderConfig } from './flight-recorder-config.js';
export { createFileFlightRecorder, flightRecorderModule } from './flight-recorder.module.js';
export { recordedSeams } from './decorations.js';
export { RecordingTape } from './tape/recording-tape.js';
export type { TakeLine, TapeOptions } from './tape/recording-tape.js';
export { parseRecording, readRecording } from './read/read-recording.js';
export type { Recording } from './read/read-recording.js';
export { ReplayedWorld } from './replay/replayed-world.js';
export type { Unanswered } from './replay/replayed-world.js';
export type { ReplayedRuntimeFacts } from './replay/replayed-runtime.js';
export { replayedRuntime } from './replay/replayed-runtime.js';
export { replayedCheckpoints } from './replay/replayed-checkpoints.js';
export { replayedTransport } from './replay/replayed-transport.js';
export {
  replayedHooks,
  replayedRandom,
  replayedImageFsStats,
  replayedProbers,
  replayedSources,
  replayedSummary,
  replayedWorkQueue,
} from './replay/replayed-inputs.js';
export { comparedPart, compareDecisions, timeOf } from './compare/compare-decisions.js';
export { beginningOf } from './compare/told-again.js';
export type { Beginning } from './compare/told-again.js';
export type { ComparisonOptions, DecisionComparison, DecisionPair } from './compare/compare-decisions.js';
