import { lintConfig } from './tools/workspace/lint/config.mjs';

// The promise rules need a type checker over the whole repository, some seconds at start; LINT_TYPES=0 leaves them out.
export default await lintConfig({ root: import.meta.dirname, typeAware: process.env.LINT_TYPES !== '0' });
