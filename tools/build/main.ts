import { parseArgs } from 'node:util';
import { buildKubelet } from './kubelet.js';
import { buildPackages } from './packages.js';

// `npm run build`: every package to its dist/, and the kubelet as one file to dist/kubelet.
const { values } = parseArgs({ options: { 'kubelet-only': { type: 'boolean', default: false } } });

if (!values['kubelet-only']) {
  const result = await buildPackages();
  if (result.code !== 0) {
    console.error(result.output);
    process.exit(1);
  }
}
const { file, bytes } = await buildKubelet();
console.log(`${file} (${(bytes / 1024).toFixed(0)} KiB)`);
