import { booleanField, defineConfig } from '@podwright/assembly-interface';
import type { ResizeRules } from './comparing-resize-plan.js';

export const podResizerConfigSchema = defineConfig<ResizeRules>({
  podLevelResize: booleanField(true),
  initContainerResize: booleanField(true),
});
