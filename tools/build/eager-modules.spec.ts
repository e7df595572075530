import { describe, expect, it } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import { compileModulesEagerly } from './eager-modules.js';

const wrapper = 'var __esm = (fn, res) => () => (fn && (res = (0, fn[Object.keys(fn)[0]])(fn = 0)), res);';

describe('compileModulesEagerly', () => {
  it('puts the functions of modules in parentheses, and nothing else', () => {
    const bundle = `${wrapper}var one,init_one=__esm({"libs/one.ts"(){"use strict";one=((a)=>a+")")(1)}}),two={"libs/one.ts"(){}};`;
    const eager = compileModulesEagerly(bundle);
    expect(eager).toBe(
      `${wrapper}var one,init_one=__esm({"libs/one.ts":(function(){"use strict";one=((a)=>a+")")(1)})}),two={"libs/one.ts"(){}};`,
    );
    expect(runInNewContext(`${eager}; init_one(); one`)).toBe('1)');
  });

  it('refuses a bundle without modules', () => {
    expect(() => compileModulesEagerly('var one = 1;')).toThrow(
      'the bundle calls no __esm: which function wraps its modules?',
    );
  });
});
