import { parseArgs } from 'node:util';
import path from 'node:path';
import { listPackages } from '../workspace/packages.js';
import { buildExecutable } from './executable.js';
import { buildPackages } from './packages.js';

// `npm run build`: every package to its dist/, and each program as one file to dist/.
const { values } = parseArgs({ options: { 'kubelet-only': { type: 'boolean', default: false } } });

if (!values['kubelet-only']) {
  const result = await buildPackages();
  if (result.code !== 0) {
    console.error(result.output);
    process.exit(1);
  }
}
const programs = listPackages().filter(({ type }) => type === 'app');
const apps = values['kubelet-only'] ? ['kubelet'] : programs.map(({ folder }) => path.basename(folder));
for (const { file, bytes } of await Promise.all(apps.map(buildExecutable))) {
  console.log(`${file} (${(bytes / 1024).toFixed(0)} KiB)`);
}
