import { lintConfig } from './tools/workspace/lint/config.mjs';

export default await lintConfig();
