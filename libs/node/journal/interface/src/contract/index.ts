export { describeJournalContract } from './journal-contract.js';
export { RecordingJournal } from './recording-journal.js';
export type { JournalHarness, WholeJournal } from './journal-contract.js';
