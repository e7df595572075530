import { requestTarget, Router } from '@podwright/http-router';
import { accessAttributes } from '../../../libs/control-plane/server/default/src/access/access-attributes.js';
import { parseAccept } from '../../../libs/control-plane/server/default/src/accept-header.js';
import { decodeLogOptions } from '../../../libs/runtime/container-logs/default/src/routes/pod-log-options.js';
import { readOptions } from '../../../libs/runtime/container-logs/default/src/reading/read-options.js';
import { forwardedPorts } from '../../../libs/runtime/streaming/default/src/routes/forwarded-ports.js';
import { parseStreamingUrl } from '../../../libs/runtime/streaming/default/src/proxy/streaming-url.js';
import { fuzzTarget } from '../fuzz-target.js';

const methods = ['GET', 'POST', 'PUT', 'DELETE'];
const paths = [
  '/pods',
  '/exec/:namespace/:pod/:container',
  '/exec/:namespace/:pod/:uid/:container',
  '/containerLogs/:namespace/:pod/:container',
  '/logs/*path',
  '/metrics',
];
const router = new Router(paths.map((path) => ({ methods: ['GET'], path })));

/** Lines: method and target, then the headers. */
export const target = fuzzTarget({
  name: 'http-requests',
  reads:
    'targets and headers of requests: routes, access, options of exec, port-forward and logs, the streaming URL of the runtime',
  seeds: () => [
    'GET /containerLogs/ns/pod/c?tailLines=5&sinceTime=2026-01-01T00%3A00%3A00Z&limitBytes=1&timestamps=true&follow=1&stream=Stdout\nx\nx',
    'POST /exec/ns/p/c?command=ls&command=-l&input=1&output=1&tty=1\ntext/html, application/json;q=0.9, */*;q=0.1\nSPDY/3.1',
    'GET //portForward/ns/../p/%2e%2e?port=80,443&port=1\n*/*\nwebsocket',
    'GET http://10.0.0.1:10250/logs/a/./b//c/?tail=all&sinceSeconds=9\n\nv4.channel.k8s.io',
    'GET /pods\nhttps://[::1]:3000/exec/token?x=1\nx',
  ],
  run: (input) => {
    const [line = '', accept = '', protocol = ''] = input.toString('latin1').split('\n');
    const space = line.indexOf(' ');
    const found = requestTarget(line.slice(space + 1));
    parseAccept(accept);
    parseStreamingUrl(accept);
    if (found === undefined) return;
    const method = methods[line.charCodeAt(0) % methods.length] ?? 'GET';
    router.find(method, found, accept);
    accessAttributes(method, found, false);
    const decoded = decodeLogOptions(found.query);
    if ('options' in decoded) readOptions(decoded.options, 0);
    forwardedPorts({
      headers: { connection: 'Upgrade', upgrade: protocol, 'sec-websocket-protocol': protocol },
      query: found.query,
    });
  },
});
