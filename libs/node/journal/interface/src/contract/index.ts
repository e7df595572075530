export { describeJournalContract } from './journal-contract.js';
export type { JournalHarness, WholeJournal } from './journal-contract.js';
