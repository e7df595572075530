#!/usr/bin/env node
// Runs a TypeScript entry point of this repository. Installs the packages of the lock file when they are missing,
// bundles the entry with the sources of the workspace packages, and imports the result. Needs only Node.
import { ensureInstalled } from './install.mjs';
import { ensureGenerated } from './generate.mjs';
import { bundleEntry } from './bundle.mjs';
import { helpOf } from './help.mjs';

const [entry, ...args] = process.argv.slice(2);
if (entry === undefined) {
  console.error('usage: node tools/bootstrap/run.mjs ENTRY.ts [ARGS...]');
  process.exit(2);
}
const help = helpOf(entry, args);
if (help !== undefined) {
  process.stdout.write(help);
  process.exit(0);
}
await ensureInstalled();
ensureGenerated(entry);
const output = await bundleEntry(entry);
process.argv = [process.argv[0], output, ...args];
await import(output);
