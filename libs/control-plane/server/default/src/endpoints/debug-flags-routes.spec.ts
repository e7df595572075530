import { describe, expect, it } from '@jest/globals';
import { askRoutes } from '@podwright/server-interface/contract';
import { debugFlagsRoutes } from './debug-flags-routes.js';

describe('/debug/flags/v', () => {
  it.each<[string, string, number, string, readonly number[]]>([
    ['PUT', '4', 200, 'successfully set klog.logging.verbosity to 4\n', [4]],
    ['PUT', '0', 200, 'successfully set klog.logging.verbosity to 0\n', [0]],
    ['PUT', '', 400, 'strconv.ParseUint: parsing "": invalid syntax\n', []],
    ['PUT', '-1', 400, 'strconv.ParseUint: parsing "-1": invalid syntax\n', []],
    ['PUT', '4\n', 400, 'strconv.ParseUint: parsing "4\\n": invalid syntax\n', []],
    ['PUT', '4294967296', 400, 'strconv.ParseUint: parsing "4294967296": value out of range\n', []],
    [
      ...(['PUT', '2147483648', 400] as const),
      'failed set klog.logging.verbosity 2147483648: strconv.ParseInt: parsing "2147483648": value out of range\n',
      [],
    ],
    ['GET', '', 406, 'unsupported http method\n', []],
    ['POST', '4', 406, 'unsupported http method\n', []],
  ])('%s %j: %i', async (method, body, status, said, levels) => {
    const set: number[] = [];
    const routes = debugFlagsRoutes({ setVerbosity: (level) => void set.push(level) });
    const answer = await askRoutes(routes, method, '/debug/flags/v', { body });
    expect(answer).toMatchObject({
      status,
      headers: { 'Content-Type': 'text/plain', 'X-Content-Type-Options': 'nosniff' },
      body: said,
    });
    expect(set).toEqual(levels);
  });
});
