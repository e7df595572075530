// npm run docs: the API pages of every package as HTML in dist/docs.
import path from 'node:path';
import { repositoryRoot } from '../workspace/repository-root.js';
import { makeApiPages } from './api-pages.js';

const destination = path.join(repositoryRoot, 'dist/docs');
const { entries, faults } = await makeApiPages(destination);
for (const fault of faults) console.error(fault);
console.log(`${entries.length} entry points, ${faults.length} faults: ${path.join(destination, 'index.html')}`);
process.exitCode = faults.length === 0 ? 0 : 1;
