/** UIDs as the API server makes them, and those of static pods. */
const uids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{32}\b/g;

/** Whether a text has the UID of one of these pods. */
export const namesPod = (text: string, wanted: ReadonlySet<string>): boolean =>
  text.match(uids)?.some((uid) => wanted.has(uid)) ?? false;
