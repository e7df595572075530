import { parseAssemblyFile } from '../../../libs/assembly/default/src/read-assembly-file.js';
import { fuzzTarget } from '../fuzz-target.js';
import { seedFiles } from '../seed-files.js';

export const target = fuzzTarget({
  name: 'assembly-files',
  reads: 'assembly files, YAML and JSON',
  seeds: seedFiles(
    'examples/custom-pleg/assembly.yaml',
    'examples/additions/assembly.yaml',
    'examples/local-pods/assembly.yaml',
  ),
  run: (input) => parseAssemblyFile(input.toString(), '/assembly.yaml'),
});
