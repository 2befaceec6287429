/** Upload sessions: made by Graph, filled at an address that needs no token. */
import { randomBytes, randomUUID } from 'node:crypto';
import { header, Refusal, type Call, type Reply } from './exchange.js';
import { sizeOf, type Caller, type Item } from './items.js';
import { etagOf, driveItem } from './represent.js';
import type { Tenant } from './tenant.js';

export type ConflictBehavior = 'fail' | 'replace' | 'rename';

interface Session {
  parent: Item;
  name: string;
  conflict: ConflictBehavior;
  by: Caller;
  deferCommit: boolean;
  expires: number;
  received: Buffer[];
  /** Bytes that have arrived. */
  next: number;
  /** Bytes of the whole file, as the first range said. */
  total?: number;
}

const UPLOAD_PATH = '/sites/team/_api/v2.0/drives/';
const STEP = 320 * 1024;
const LARGEST = 60 * 1024 * 1024;
const LIFE_SECONDS = 15 * 60;
/** A browser may send no other header. */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, PUT, DELETE, POST',
  'Access-Control-Allow-Headers': 'content-range, content-type',
};

export const isUpload = (path: string) => path.startsWith(UPLOAD_PATH);

export class Uploads {
  readonly #sessions = new Map<string, Session>();

  constructor(readonly tenant: Tenant) {}

  /** Opens a session; the answer of `createUploadSession`. */
  open({
    conflict = 'fail',
    deferCommit = false,
    ...target
  }: {
    parent: Item;
    name: string;
    by: Caller;
    conflict?: ConflictBehavior;
    deferCommit?: boolean;
  }): object {
    const { tenant } = this;
    const guid = randomUUID();
    const session: Session = {
      ...target,
      conflict,
      deferCommit,
      expires: 0,
      received: [],
      next: 0,
    };
    this.#renew(session);
    this.#sessions.set(guid, session);
    // Real ones are longer than 2,000 characters, which some clients do not take.
    const tempauth = tenant.seal({ guid, padding: randomBytes(1500).toString('base64url') });
    const query = new URLSearchParams({
      guid: `'${guid}'`,
      overwrite: conflict === 'replace' ? 'True' : 'False',
      rename: conflict === 'rename' ? 'True' : 'False',
      dc: '0',
      tempauth,
    });
    return {
      '@odata.context': `${tenant.apiUrl}/$metadata#microsoft.graph.uploadSession`,
      ...this.#progress(session),
      uploadUrl: `${tenant.url}${UPLOAD_PATH}${tenant.driveId}/items/${target.parent.id}/uploadSession?${query.toString()}`,
    };
  }

  answer(call: Call): Reply {
    if (call.method === 'OPTIONS') return { status: 200, headers: CORS, content: '' };
    if (header(call, 'authorization') !== undefined)
      throw new Refusal('sessionAuthenticated', undefined, CORS);
    const reply = this.#answer(call);
    return { ...reply, headers: { ...reply.headers, ...CORS } };
  }

  #answer(call: Call): Reply {
    const guid: string | undefined = this.tenant.unseal(call.query.get('tempauth') ?? '')?.guid;
    const session = guid === undefined ? undefined : this.#sessions.get(guid);
    if (guid === undefined || !session || session.expires <= this.tenant.now())
      throw new Refusal('sessionGone', undefined, CORS);
    if (call.method === 'GET') return { status: 200, headers: {}, json: this.#progress(session) };
    if (call.method === 'DELETE') {
      this.#sessions.delete(guid);
      return { status: 204, headers: {} };
    }
    if (call.method === 'PUT') this.#receive(session, call);
    else if (!session.deferCommit || session.next !== session.total)
      throw new Refusal('invalid', 'There is nothing to commit.');
    if (session.next !== session.total || (session.deferCommit && call.method === 'PUT'))
      return { status: 202, headers: {}, json: this.#progress(session) };
    const reply = this.#commit(session);
    this.#sessions.delete(guid);
    return reply;
  }

  #receive(session: Session, call: Call): void {
    const [, first, last, whole] = (
      /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header(call, 'content-range') ?? '') ?? []
    ).map(Number);
    if (first === undefined || last === undefined || whole === undefined)
      throw new Refusal('invalid', 'The Content-Range header is missing or malformed.');
    if (last < first || last >= whole || call.body.length !== last - first + 1)
      throw new Refusal('invalid', 'The Content-Range header does not match the content.');
    if (session.total !== undefined && session.total !== whole)
      throw new Refusal('invalid', 'The Content-Range header has another length than before.');
    if (call.body.length >= LARGEST) throw new Refusal('invalid', 'The fragment is too large.');
    if (first !== session.next) throw new Refusal('rangeTaken');
    if (last + 1 < whole && call.body.length % STEP !== 0)
      throw new Refusal(
        'invalid',
        'A fragment that is not the last must be a multiple of 320 KiB.',
      );
    // The last range is not taken in when the file cannot be written, so that it can be sent again.
    if (last + 1 === whole && !session.deferCommit) this.#checkTarget(session, whole);
    session.total = whole;
    session.received.push(call.body);
    session.next = last + 1;
    this.#renew(session);
  }

  #checkTarget({ parent, name, conflict }: Session, size: number): void {
    const { tenant } = this;
    if (!tenant.items.byId(parent.id)) throw new Refusal('invalid');
    if (conflict === 'fail' && tenant.items.child(parent, name))
      throw new Refusal('uploadNameTaken');
    checkQuota(tenant, size);
  }

  #commit(session: Session): Reply {
    this.#checkTarget(session, session.next);
    const { item, replaced } = store(this.tenant, session, Buffer.concat(session.received));
    return {
      status: replaced ? 200 : 201,
      headers: { ETag: etagOf(item) },
      json: driveItem(this.tenant, item, { created: !replaced }),
    };
  }

  #renew(session: Session): void {
    session.expires = this.tenant.now() + LIFE_SECONDS * 1000;
  }

  #progress = ({ expires, next, total }: Session) => ({
    expirationDateTime: new Date(expires).toISOString(),
    nextExpectedRanges: next === total ? [] : [`${next}-`],
  });
}

/** Writes a file where the conflict behaviour lets it. */
export function store(
  { items }: Tenant,
  {
    parent,
    name,
    conflict,
    by,
  }: { parent: Item; name: string; conflict: ConflictBehavior; by: Caller },
  content: Buffer,
): { item: Item; replaced: boolean } {
  const there = items.child(parent, name);
  if (there && conflict === 'fail') throw new Refusal('nameTaken');
  if (there && conflict === 'replace') {
    if (there.kind !== 'file') throw new Refusal('nameTaken');
    items.write(there, content, by);
    return { item: there, replaced: true };
  }
  const free = there ? items.freeName(parent, name) : name;
  return {
    item: items.add(parent, free, 'file', { content, ...(by !== 'app' && { by: by.userId }) }),
    replaced: false,
  };
}

/** @param size bytes that are to be added */
export function checkQuota(tenant: Tenant, size: number): void {
  if (sizeOf(tenant.items.root) + size > tenant.quota) throw new Refusal('quota');
}
