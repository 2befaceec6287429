/**
 * Remembers whether the object store takes the forms of direct uploads. Some stores take none, and
 * browsers need a CORS rule of the bucket. Clients find that out first: they give up an upload.
 */
import { randomBytes } from 'node:crypto';
import { STAGING, type Blobs } from './store.js';

/** How long a refusal is remembered. */
const REFUSED_MS = 600_000;
/** Shortest time between two checks. */
const COOLDOWN_MS = 10_000;
const TIMEOUT_MS = 10_000;
/** Origins of pages that are remembered. */
const MOST_ORIGINS = 100;
/** From this status on the store fails, and says nothing about its CORS rule. */
const FAULTS = 500;
/** Stores that take no forms answer with these: method not allowed, not implemented. */
const NO_FORMS: ReadonlySet<number> = new Set([405, 501]);

export class FormSupport {
  #refusedUntil = 0;
  /** By the origin of a page: until when its forms count as refused. */
  readonly #origins = new Map<string, number>();
  #nextCheck = 0;

  constructor(
    private readonly blobs: Pick<Blobs, 'directUpload'>,
    private readonly clock: () => Date,
  ) {}

  /** @param origin of the page that would send the form; undefined for other clients */
  isAvailable(origin: string | undefined): boolean {
    const now = this.clock().getTime();
    return (
      this.blobs.directUpload !== undefined &&
      this.#refusedUntil <= now &&
      (this.#origins.get(origin ?? '') ?? 0) <= now
    );
  }

  /**
   * Asks the store, after a client has given up an upload. Only a clear answer counts: the service
   * may reach the store in another way than clients do.
   */
  async check(origin: string | undefined): Promise<void> {
    const now = this.clock().getTime();
    if (!this.blobs.directUpload || now < this.#nextCheck) return;
    this.#nextCheck = now + COOLDOWN_MS;
    const key = STAGING + randomBytes(16).toString('hex');
    const { href } = await this.blobs.directUpload(key, LIMITS);
    // Without its fields the form is refused, so nothing is stored.
    const form = await statusOf(href, { method: 'POST', body: new FormData() });
    if (form && NO_FORMS.has(form.status)) this.#refusedUntil = now + REFUSED_MS;
    if (origin === undefined) return;
    const asked = await statusOf(href, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    if (!asked || asked.status >= FAULTS) return;
    const allowed = asked.headers.get('access-control-allow-origin');
    if (this.#origins.size >= MOST_ORIGINS) this.#origins.clear();
    if (allowed === '*' || allowed === origin) this.#origins.delete(origin);
    else this.#origins.set(origin, now + REFUSED_MS);
  }
}

const LIMITS = { size: 1, contentType: 'application/octet-stream', seconds: 60 };

/** @returns undefined without an answer */
async function statusOf(address: string, request: RequestInit): Promise<Response | undefined> {
  try {
    const answer = await fetch(address, {
      ...request,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return answer;
  } catch {
    return undefined;
  }
}
