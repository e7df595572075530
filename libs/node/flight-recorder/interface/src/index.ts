export { FLIGHT_RECORDER, RECORDING_FACTS } from './flight-recorder.js';
export type { FlightRecorder } from './flight-recorder.js';
export { recordingVersion } from './recording.js';
export type {
  AtMs,
  RecordedCall,
  RecordedCheckpoint,
  RecordedClosing,
  RecordedDecision,
  RecordedDraw,
  RecordedError,
  RecordedItem,
  RecordedListening,
  RecordedOpening,
  RecordedPods,
  RecordingEnd,
  RecordingFacts,
  RecordingGap,
  RecordingHeader,
  RecordingLine,
  Seam,
} from './recording.js';
