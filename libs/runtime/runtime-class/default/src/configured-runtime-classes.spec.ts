import { describe, expect, it } from '@jest/globals';
import { describeRuntimeClassesContract } from '@podwright/runtime-class-interface/contract';
import { configuredRuntimeClassesConfigSchema } from './configured-runtime-classes-config.js';
import { createConfiguredRuntimeClasses } from './configured-runtime-classes.module.js';

describeRuntimeClassesContract('ConfiguredRuntimeClasses', async () => ({
  runtimeClasses: createConfiguredRuntimeClasses({}, { classes: { sandboxed: 'runsc', plain: '' } }),
}));

describe('ConfiguredRuntimeClasses', () => {
  it('knows no class by default', () => {
    expect(() => createConfiguredRuntimeClasses().handlerOf('runc')).toThrow(
      'runtimeclass.node.k8s.io "runc" not found',
    );
  });

  it.each([[['runsc']], [{ sandboxed: 1 }], ['runsc']])('refuses the table %j', (classes) => {
    const decoded = configuredRuntimeClassesConfigSchema.decode({ classes });
    expect(decoded).toMatchObject({ ok: false, faults: [{ field: 'classes' }] });
  });
});
