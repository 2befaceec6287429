/** The web application: one page at all its addresses. The build makes it from `web`. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Router, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import type { SignedIn, Sessions } from '../auth/sessions.js';
import { makeContext, type Services } from '../context.js';
import * as documents from '../rest/generated/documents.js';
import { run } from '../rest/documents/run.js';
import { HOME, signedInAddresses } from './application-addresses.js';
import { pageErrors } from './failure.js';

const NONCE = '__NONCE__';
const file = new URL('../../assets/web.html', import.meta.url);

/** The page between its nonces. Read at the first request: commands need no pages. */
let parts: readonly string[] | undefined;
const pageWith = (nonce: string): string =>
  (parts ??= readFileSync(file, 'utf8').split(NONCE)).join(nonce);

export function applicationPages(services: Services & { sessions: Sessions }): Router {
  const { sessions } = services;
  const show = async (res: Response, signedIn: SignedIn | undefined) => {
    const nonce = randomBytes(16).toString('base64');
    const policy = policyOf({
      nonce,
      store: await services.blobs.origin?.(),
      storages: signedIn ? await storageOrigins(services, signedIn, res) : [],
      uploadHosts: services.settings.cloudDriveUploadHosts,
    });
    res
      .set({
        'Content-Security-Policy': policy,
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'same-origin',
        'X-Content-Type-Options': 'nosniff',
      })
      .type('html')
      .send(pageWith(nonce));
  };
  const showSignedIn: RequestHandler = (_req, res) => show(res, res.locals as SignedIn);

  const router = Router().get(HOME, async (req, res) =>
    show(res, await sessions.forPage(req, res)),
  );
  for (const address of signedInAddresses)
    router.get(address, sessions.requireSignIn, showSignedIn);
  return router.use(pageErrors);
}

interface Origins {
  nonce: string;
  /** The origin of an object store. */
  store: string | undefined;
  /** Origins of the storages that the person sees: files are sent there. */
  storages: readonly string[];
  /** Where cloud drives take files. */
  uploadHosts: readonly string[];
}

function policyOf({ nonce, store, storages, uploadHosts }: Origins): string {
  const files = store === undefined ? [] : [store];
  const media = ["'self'", 'blob:', 'data:', ...files].join(' ');
  const connect = ["'self'", ...new Set([...files, ...storages, ...uploadHosts])].join(' ');
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src ${media}`,
    `media-src ${media}`,
    "font-src 'self'",
    "worker-src 'self'",
    `connect-src ${connect}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
}

/** The origins of the newest hundred storages: browsers and proxies limit the length of a header. */
async function storageOrigins(
  services: Services,
  { user }: SignedIn,
  res: Response,
): Promise<string[]> {
  const context = makeContext(services, user, { log: res.locals['log'] as Logger });
  const { storages } = await run(context, documents.ListStorageOriginsDocument, {});
  return storages.nodes.flatMap(({ origin }) => (origin === null ? [] : sourceOf(origin)));
}

/** A host name may have characters that would end a directive of the policy. It is left out then. */
function sourceOf(address: string): string[] {
  const { origin } = new URL(address);
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? [origin] : [];
}
