import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../workspace/repository-root.js';
import { configurationPage } from './configuration-table.js';
import { differencesPage } from './differences-page.js';
import { gatesPage } from './gates-page.js';
import { metricSheet } from './metric-sheet.js';
import { metricsPage } from './metrics-page.js';
import { modulesPage } from './modules-page.js';
import { packagesPage } from './packages-page.js';

writeFileSync(path.join(repositoryRoot, 'docs/kubelet-configuration.md'), configurationPage());
writeFileSync(path.join(repositoryRoot, 'docs/differences.md'), differencesPage());
writeFileSync(path.join(repositoryRoot, 'docs/feature-gates.md'), gatesPage());
writeFileSync(path.join(repositoryRoot, 'docs/metrics.md'), metricsPage(metricSheet()));
writeFileSync(path.join(repositoryRoot, 'docs/packages.md'), packagesPage());
writeFileSync(path.join(repositoryRoot, 'docs/modules.md'), modulesPage());
