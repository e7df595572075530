// Simulates the next minor version of every package, without change logs: `nx release version` refuses the settings of
// `release.git`, which the whole command needs. Run in the root of the workspace; prints as `nx release --dry-run`.
import { readFileSync } from 'node:fs';
import { ReleaseClient } from 'nx/release/index.js';

const { release } = JSON.parse(readFileSync('nx.json', 'utf8'));
await new ReleaseClient({ ...release, git: undefined }, true).releaseVersion({
  specifier: 'minor',
  dryRun: true,
  gitCommit: false,
  gitTag: false,
  stageChanges: false,
  verbose: false,
});
