import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { JOURNAL, JOURNAL_READER } from '@podwright/journal-interface';
import { segmentJournalConfigSchema } from './segment-journal-config.js';
import { SegmentJournal, segmentJournalNeeds } from './segment-journal.js';

/** Provides `JOURNAL` and `JOURNAL_READER`. No module requires them, so an assembly file may omit it. */
export const journalModule = defineModule({
  name: '@podwright/journal',
  provides: [JOURNAL, JOURNAL_READER],
  needs: segmentJournalNeeds,
  config: segmentJournalConfigSchema,
  create: (deps, config) => new SegmentJournal(deps, config),
});

/** Creates one without an assembly; start and stop it. Throws `invalid-argument` for options out of range. */
export const createSegmentJournal = factoryOf(journalModule);
