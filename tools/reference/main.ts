import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../workspace/repository-root.js';
import { configurationPage } from './configuration-table.js';

writeFileSync(path.join(repositoryRoot, 'docs/kubelet-configuration.md'), configurationPage());
