// Runs the generator on a folder instead of the workspace: `node generate-into.mjs FOLDER WING/NAME`. For its spec,
// which cannot load the formatter inside jest, and for trying the generator out.
import { createRequire } from 'node:module';
import { FsTree, flushChanges } from 'nx/src/generators/tree.js';

const [folder, manager] = process.argv.slice(2);
const tree = new FsTree(folder, false);
await createRequire(import.meta.url)('./generator.cjs')(tree, { manager, skipInstall: true });
flushChanges(folder, tree.listChanges());
