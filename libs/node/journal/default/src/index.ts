export { SegmentJournal, segmentJournalNeeds } from './segment-journal.js';
export { segmentJournalConfigSchema } from './segment-journal-config.js';
export type { SegmentJournalConfig } from './segment-journal-config.js';
export { createSegmentJournal, journalModule } from './segment-journal.module.js';
