/** A complete HTTP answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const notFound: Answer = { status: 404, headers: { 'Content-Type': 'text/plain' }, body: '404: Page Not Found' };
export const methodNotAllowed: Answer = { status: 405, headers: { 'Content-Type': 'text/plain' }, body: '405: Method Not Allowed' };
export const debuggingDisabled: Answer = {
  status: 405,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
  body: 'Debug endpoints are disabled.\n',
};
